//! Game trees as such: nodes, properties and values. Unknown properties are dropped here already, so a file
//! full of them takes no memory.

use crate::record::MOST_GAMES;
use crate::record::text::{Reason, TextError, TextPosition};

/// The properties that are kept.
const KNOWN: [&str; 20] = [
    "AB", "AE", "AW", "B", "CO", "CP", "CV", "DI", "DT", "EV", "GM", "MI", "PB", "PC", "PL", "PW", "RE",
    "RO", "RU", "W",
];

/// The main line of a tree: its known properties in order, without the division into nodes.
#[derive(Debug)]
pub(super) struct Tree {
    /// The place where the tree begins.
    pub(super) text_position: TextPosition,
    /// The properties of the root node, then those of the other nodes.
    pub(super) properties: Vec<Property>,
    /// The number of properties of the root node.
    in_root: usize,
}

impl Tree {
    /// The properties of the root node.
    pub(super) fn root(&self) -> &[Property] {
        &self.properties[..self.in_root]
    }
}

/// A property with its values.
#[derive(Debug)]
pub(super) struct Property {
    /// The name in capitals, one of [`KNOWN`].
    pub(super) name: &'static str,
    /// The place where the property begins.
    pub(super) text_position: TextPosition,
    /// The values without escapes; there is at least one.
    pub(super) values: Vec<Value>,
}

/// One value of a property.
#[derive(Debug)]
pub(super) struct Value {
    /// The place where the text begins.
    pub(super) text_position: TextPosition,
    /// The text, with escapes resolved.
    pub(super) text: String,
}

/// The main lines of all game trees in a text.
pub(super) fn main_lines(text: &str) -> Result<Vec<Tree>, TextError> {
    let mut reader = Reader { rest: text, text_position: TextPosition::START };
    let mut trees = Vec::new();
    while let Some(next) = reader.skip_blanks() {
        let text_position = reader.text_position;
        if next != '(' {
            return Err(text_position.error(Reason::Expected("\"(\"")));
        }
        if trees.len() == MOST_GAMES {
            return Err(text_position.error(Reason::TooManyGames));
        }
        trees.push(reader.main_line()?);
    }
    if trees.is_empty() { Err(reader.text_position.error(Reason::Expected("\"(\""))) } else { Ok(trees) }
}

struct Reader<'t> {
    rest: &'t str,
    text_position: TextPosition,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        self.text_position = match next {
            '\n' => TextPosition { line: self.text_position.line + 1, column: 1 },
            _ => TextPosition { column: self.text_position.column + 1, ..self.text_position },
        };
        Some(next)
    }

    /// The next character that is not a blank. It is not taken.
    fn skip_blanks(&mut self) -> Option<char> {
        while self.peek()?.is_whitespace() {
            self.next();
        }
        self.peek()
    }

    /// One game tree. The first closing bracket ends the main line; whatever follows belongs to variations.
    fn main_line(&mut self) -> Result<Tree, TextError> {
        let text_position = self.text_position;
        let mut properties = Vec::new();
        // Set when the second node begins.
        let mut in_root = None;
        let (mut depth, mut begun, mut ended) = (0_usize, false, false);
        loop {
            let next = self.skip_blanks();
            match next {
                Some('(') => depth += 1,
                Some(')') => (depth, ended) = (depth - 1, true),
                Some(';') if !begun && !ended => begun = true,
                Some(';') => in_root = in_root.or(Some(properties.len())),
                Some(c) if c.is_ascii_alphabetic() => {
                    let at = self.text_position;
                    let property = self.property()?;
                    if !begun {
                        return Err(at.error(Reason::Expected("\";\"")));
                    }
                    properties.extend(property.filter(|_| !ended));
                    continue;
                }
                Some(_) => {
                    return Err(self
                        .text_position
                        .error(Reason::Expected("a property, \";\", \"(\" or \")\"")));
                }
                None => return Err(self.text_position.error(Reason::Expected("\")\""))),
            }
            self.next();
            if depth == 0 && !begun {
                return Err(text_position.error(Reason::Expected("a node")));
            }
            if depth == 0 {
                let in_root = in_root.unwrap_or(properties.len());
                return Ok(Tree { text_position, properties, in_root });
            }
        }
    }

    /// The property that begins here, if it is known.
    fn property(&mut self) -> Result<Option<Property>, TextError> {
        let text_position = self.text_position;
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            // In old files, lower-case letters make names longer and have no meaning.
            name.extend(Some(letter).filter(char::is_ascii_uppercase));
            self.next();
        }
        let known = KNOWN.into_iter().find(|known| *known == name);
        if self.skip_blanks() != Some('[') {
            return Err(self.text_position.error(Reason::Expected("\"[\"")));
        }
        let mut values = Vec::new();
        while self.skip_blanks() == Some('[') {
            self.next();
            let value = Value { text_position: self.text_position, text: self.value()? };
            if known.is_some() {
                // Nearly every property has one value, so no more room is reserved.
                values.reserve_exact(usize::from(values.is_empty()));
                values.push(value);
            }
        }
        Ok(known.map(|name| Property { name, text_position, values }))
    }

    /// The text up to its closing bracket, which is taken.
    fn value(&mut self) -> Result<String, TextError> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(text),
                // An escaped line break is removed.
                Some('\\') => text.extend(self.next().filter(|c| *c != '\n')),
                Some(c) => text.push(c),
                None => return Err(self.text_position.error(Reason::Expected("\"]\""))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_properties_of_the_main_line_are_kept() {
        let trees = main_lines("(;A[x];;PlayerWhite[Ann](;W[31]C[;(]X[1][2])(;W[42]))(;GM[6];)").unwrap();
        let told = |properties: &[Property]| properties.iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!((told(&trees[0].properties), trees[0].root().len()), (vec!["PW", "W"], 0));
        assert_eq!((told(&trees[1].properties), trees[1].root().len()), (vec!["GM"], 1));
        assert!(main_lines("(();W[31])").is_err());
    }
}
