//! Walks through a text character by character and keeps track of the column.

use std::iter::Peekable;
use std::str::Chars;

/// A place in a text.
pub(super) struct Cursor<'t> {
    rest: Peekable<Chars<'t>>,
    /// The column of the next character, from 1.
    pub(super) column: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.chars().peekable(), column: 1 }
    }

    /// Returns the next character without taking it.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    /// Takes the next character if it is a wanted one.
    pub(super) fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let taken = self.rest.next_if(|next| wanted(*next));
        self.column += usize::from(taken.is_some());
        taken
    }

    /// Takes the longest run of wanted characters, in lower case.
    pub(super) fn run(&mut self, wanted: impl Fn(char) -> bool) -> String {
        std::iter::from_fn(|| self.take(&wanted)).map(|taken| taken.to_ascii_lowercase()).collect()
    }

    /// Skips all characters to be passed over, and returns the one that follows without taking it.
    pub(super) fn skip(&mut self, passed_over: impl Fn(char) -> bool) -> Option<char> {
        while self.take(&passed_over).is_some() {}
        self.peek()
    }
}
