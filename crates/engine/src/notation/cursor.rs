//! Walks over a text character by character and knows the column.

use std::iter::Peekable;
use std::str::Chars;

/// Where one is in a text.
pub(super) struct Cursor<'t> {
    rest: Peekable<Chars<'t>>,
    /// Which character comes next, from 1.
    pub(super) column: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.chars().peekable(), column: 1 }
    }

    /// The next character, which stays.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    /// The next character, if it is one of those wanted.
    pub(super) fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let taken = self.rest.next_if(|next| wanted(*next));
        self.column += usize::from(taken.is_some());
        taken
    }

    /// The longest run of such characters, in lower case.
    pub(super) fn run(&mut self, wanted: impl Fn(char) -> bool) -> String {
        std::iter::from_fn(|| self.take(&wanted)).map(|taken| taken.to_ascii_lowercase()).collect()
    }

    /// Passes over such characters, and shows what comes then.
    pub(super) fn skip(&mut self, passed_over: impl Fn(char) -> bool) -> Option<char> {
        while self.take(&passed_over).is_some() {}
        self.peek()
    }
}
