//! What the outside sees over HTTP.
//!
//! * [`assets`]: the files the browser loads, embedded, under addresses that change with their content.
//! * [`locale`]: languages; every word a page shows comes from here by key.
//! * [`pages`]: what each page shows, as plain data, and its template.
//!
//! Nothing in these rooms decides a rule: what may be done comes in with the state.

pub mod assets;
pub mod locale;
pub mod pages;
