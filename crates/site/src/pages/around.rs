//! The navigation between the pages of a tournament.

/// The navigation between the pages of a tournament.
#[derive(Clone, Debug)]
pub struct Around {
    /// The name of the tournament.
    pub tournament: String,
    pub home: String,
    /// The division. `None` if it is the only one.
    pub division: Option<String>,
    /// The pages of the division.
    pub links: Vec<PageLink>,
}

/// A link to a page of a division.
#[derive(Clone, Debug)]
pub struct PageLink {
    pub label: String,
    pub link: String,
    /// Whether it is the present page.
    pub here: bool,
}
