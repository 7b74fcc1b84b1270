//! A link among others: the books of the club, the pages of a desk, the parts of a list.

use askama::Template;

/// One of several links that stand beside each other.
#[derive(Clone, Debug, Template)]
#[template(source = "<a href=\"{{ to }}\" aria-current=\"{{ is_here }}\">{{ label }}</a>", ext = "html")]
pub struct ChipLink {
    pub label: String,
    pub to: String,
    /// Whether it leads to what is on show.
    pub is_here: bool,
}

/// Its template escapes what it writes.
impl askama::filters::HtmlSafe for ChipLink {}

impl ChipLink {
    pub fn new(label: impl Into<String>, to: impl Into<String>, is_here: bool) -> Self {
        Self { label: label.into(), to: to.into(), is_here }
    }
}
