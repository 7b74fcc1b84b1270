//! Pages with a part that a live update replaces.

use askama::Template;

/// A page with a live part. Its own template is that part; [`whole`](Self::whole) has the rest around it.
pub trait LivePage: Template {
    /// The whole page.
    ///
    /// # Errors
    /// The template failed.
    fn whole(&self) -> askama::Result<String>;
}
