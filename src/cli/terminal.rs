//! What others wrote - in a file, a table's name, a memo - as a terminal may show it.
//!
//! A control character moves the cursor, changes colours or clears the screen, and a change of direction
//! turns a line round: with them a file could show a screen of its own. They are written as JSON writes them,
//! `\u001b`, so that JSON that is printed says the same as before. What is data for another program - a
//! statement, an export, a match - is escaped only on a terminal: in a file every byte of it counts.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, StdoutLock, Write};

use owlbox_base::values::is_deceptive;

/// A text on one line.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    escaped(text, &[])
}

/// A text of several lines that this program has put together.
#[must_use]
pub fn lines(text: &str) -> String {
    escaped(&text.replace("\r\n", "\n"), &['\n', '\t'])
}

fn escaped(text: &str, kept: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let is_hidden = character.is_control()
            || is_deceptive(character)
            || matches!(character, '\u{061C}' | '\u{2028}' | '\u{2029}');
        if is_hidden && !kept.contains(&character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

/// Writes a text and a line break for a reader.
///
/// # Errors
/// It cannot be written.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", lines(text))?;
    out.flush()
}

/// Standard output, for data.
#[must_use]
pub fn data() -> Data<StdoutLock<'static>> {
    let out = io::stdout().lock();
    Data { shown: out.is_terminal(), out, begun: Vec::new() }
}

/// Passes data on, byte for byte unless it is shown on a terminal.
pub struct Data<W> {
    out: W,
    shown: bool,
    /// The first bytes of a character whose others are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Write for Data<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.shown {
            return self.out.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.begun.len(),
        };
        let rest = self.begun.split_off(whole);
        self.out.write_all(lines(&String::from_utf8_lossy(&self.begun)).as_bytes())?;
        self.begun = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_or_turns_a_line_reaches_a_terminal() {
        let text = "a\u{1b}[2J\u{9b}1m\u{7}\r\n\u{202e}b\u{2066}c\u{2028}\u{e0041}\tZoë\0";
        assert_eq!(
            on_one_line(text),
            "a\\u001b[2J\\u009b1m\\u0007\\u000d\\u000a\\u202eb\\u2066c\\u2028\\udb40\\udc41\\u0009Zoë\\u0000"
        );
        assert_eq!(lines("a\r\nb\tc\rd\u{1b}\n"), "a\nb\tc\\u000dd\\u001b\n");
        let json = serde_json::json!({"name": "Zo\u{202e}ë\u{9b}"}).to_string();
        assert_ne!(lines(&json), json);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&lines(&json)).unwrap()["name"],
            "Zo\u{202e}ë\u{9b}"
        );
    }

    #[test]
    fn data_is_escaped_on_a_terminal_and_nowhere_else() {
        let text = "Zoë\u{1b}[2J \u{202e}\n".as_bytes();
        let through = |shown: bool, size: usize| {
            let mut data = Data { out: Vec::new(), shown, begun: Vec::new() };
            text.chunks(size).for_each(|chunk| data.write_all(chunk).unwrap());
            data.out
        };
        for size in 1..=text.len() {
            assert_eq!(through(false, size), text);
            assert_eq!(through(true, size), "Zoë\\u001b[2J \\u202e\n".as_bytes());
        }
    }
}
