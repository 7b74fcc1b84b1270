//! The club's books: postings and balances, statements, the daybook and its treasury, exports.

pub mod balances;
pub mod chart;
pub mod daybook;
pub mod exports;
pub mod income;
pub mod posting;
pub mod signed;
pub mod statements;
pub mod treasury;
