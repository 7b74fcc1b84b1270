//! Pages with a part that a live update replaces.
//!
//! The part and the page around it are templates of their own: as a block of one template the part would be
//! compiled twice.

/// A page with a live part. It is no template itself, so that nobody takes the part for the whole.
pub trait LivePage {
    /// The live part alone.
    ///
    /// # Errors
    /// The template failed.
    fn part(&self) -> askama::Result<String>;

    /// The whole page.
    ///
    /// # Errors
    /// The template failed.
    fn whole(&self) -> askama::Result<String>;

    /// What was asked for: the live part alone, or the whole page.
    ///
    /// # Errors
    /// The template failed.
    fn rendered(&self, partial: bool) -> askama::Result<String> {
        if partial { self.part() } else { self.whole() }
    }
}

/// Defines `Part`, the template of a page's live part, which has the fields of the page. What the page
/// borrows lives for `'a`.
macro_rules! part {
    ($page:ty, $path:tt) => {
        #[derive(askama::Template)]
        #[template(path = $path)]
        struct Part<'a>(&'a $page);

        impl<'a> std::ops::Deref for Part<'a> {
            type Target = $page;

            fn deref(&self) -> &$page {
                self.0
            }
        }
    };
}

/// Makes a page of two templates: that of its live part, and that of what is around it, which has the page as
/// `page` and the part as `live`.
macro_rules! live_page {
    ($page:ident $(<$a:lifetime>)?, $part:tt in $whole:tt) => {
        const _: () = {
            $crate::pages::live::part!($page $(<$a>)?, $part);

            #[derive(askama::Template)]
            #[template(path = $whole)]
            struct Whole<'a> {
                t: &'a owlbox_locale::Locale,
                frame: &'a $crate::pages::Frame,
                page: &'a $page $(<$a>)?,
                live: Part<'a>,
            }

            impl $(<$a>)? $crate::pages::LivePage for $page $(<$a>)? {
                fn part(&self) -> askama::Result<String> {
                    askama::Template::render(&Part(self))
                }

                fn whole(&self) -> askama::Result<String> {
                    let whole = Whole { t: &self.t, frame: &self.frame, page: self, live: Part(self) };
                    askama::Template::render(&whole)
                }
            }
        };
    };
}

pub(crate) use {live_page, part};
