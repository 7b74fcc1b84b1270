//! Game trees as such: nodes, properties and values, of whatever game.

use crate::engine::record::MOST_GAMES;
use crate::engine::record::text::{Mark, Reason, TextError};

/// A node: its properties in order.
pub(super) type Node = Vec<Property>;

/// A property with its values.
#[derive(Debug)]
pub(super) struct Property {
    /// Its name in capitals.
    pub(super) name: String,
    /// Where it begins.
    pub(super) mark: Mark,
    /// Its values without escapes; at least one.
    pub(super) values: Vec<Value>,
}

/// One value of a property.
#[derive(Debug)]
pub(super) struct Value {
    /// Where its text begins.
    pub(super) mark: Mark,
    /// Its text.
    pub(super) text: String,
}

/// The main lines of all game trees in a text, each from its root, with where the tree begins.
pub(super) fn main_lines(text: &str) -> Result<Vec<(Mark, Vec<Node>)>, TextError> {
    let mut reader = Reader { rest: text, mark: Mark::START };
    let mut trees = Vec::new();
    while let Some(next) = reader.skip_blanks() {
        let mark = reader.mark;
        if next != '(' {
            return Err(mark.error(Reason::Expected("\"(\"")));
        }
        if trees.len() == MOST_GAMES {
            return Err(mark.error(Reason::TooManyGames));
        }
        trees.push((mark, reader.main_line()?));
    }
    if trees.is_empty() { Err(reader.mark.error(Reason::Expected("\"(\""))) } else { Ok(trees) }
}

struct Reader<'t> {
    rest: &'t str,
    mark: Mark,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        self.mark = match next {
            '\n' => Mark { line: self.mark.line + 1, column: 1 },
            _ => Mark { column: self.mark.column + 1, ..self.mark },
        };
        Some(next)
    }

    /// The next character that is no blank, which is not taken.
    fn skip_blanks(&mut self) -> Option<char> {
        while self.peek()?.is_whitespace() {
            self.next();
        }
        self.peek()
    }

    /// One game tree. Its main line ends with the first bracket that closes; what follows are variations.
    fn main_line(&mut self) -> Result<Vec<Node>, TextError> {
        let mut nodes: Vec<Node> = Vec::new();
        let (mut depth, mut ended) = (0_usize, false);
        loop {
            let next = self.skip_blanks();
            match next {
                Some('(') => depth += 1,
                Some(')') => (depth, ended) = (depth - 1, true),
                Some(';') if !ended => nodes.push(Vec::new()),
                Some(';') => {}
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    match nodes.last_mut() {
                        None => return Err(property.mark.error(Reason::Expected("\";\""))),
                        Some(_) if ended => {}
                        Some(node) => node.push(property),
                    }
                    continue;
                }
                Some(_) => {
                    return Err(self.mark.error(Reason::Expected("a property, \";\", \"(\" or \")\"")));
                }
                None => return Err(self.mark.error(Reason::Expected("\")\""))),
            }
            self.next();
            if depth == 0 {
                return Ok(nodes);
            }
        }
    }

    fn property(&mut self) -> Result<Property, TextError> {
        let mark = self.mark;
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            // Small letters once made names longer and mean nothing.
            name.extend(Some(letter).filter(char::is_ascii_uppercase));
            self.next();
        }
        let mut values = Vec::new();
        while self.skip_blanks() == Some('[') {
            self.next();
            values.push(Value { mark: self.mark, text: self.value()? });
        }
        if values.is_empty() {
            return Err(self.mark.error(Reason::Expected("\"[\"")));
        }
        Ok(Property { name, mark, values })
    }

    /// The text up to the bracket that closes it, which is taken.
    fn value(&mut self) -> Result<String, TextError> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(text),
                // An end of line that is escaped is none.
                Some('\\') => text.extend(self.next().filter(|c| *c != '\n')),
                Some(c) => text.push(c),
                None => return Err(self.mark.error(Reason::Expected("\"]\""))),
            }
        }
    }
}
