//! The command of a form: what its page wrote, and what its reader chose and typed.
//!
//! The page writes the command as JSON into the field `command`. It is either whole, and then choices may
//! replace parts of it; or it is one of [`unfinished`](owlbox_pages::unfinished), and choices finish it. Both
//! are typed, so the handlers (`act` of each kind of stream) assign fields of commands, and the compiler asks
//! about every new command what a form may choose for it.
//!
//! A choice is read by the `serde` of the type it is for ([`Form::number`], [`Form::word`]). So an impossible
//! one is refused with the code and the words that the API would have for it.

use serde::de::{DeserializeOwned, Error as _};

use super::form::{Form, malformed};
use crate::problem::{Problem, of_body, of_json};

/// A command as a page wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormCommand<O, U> {
    Whole(O),
    Unfinished(U),
}

impl<O: DeserializeOwned, U: DeserializeOwned> FormCommand<O, U> {
    /// # Errors
    /// It is neither. The problem is then that of the whole command.
    pub(super) fn read(written: &str) -> Result<Self, Problem> {
        serde_json::from_str(written).map(Self::Whole).or_else(|error| {
            let unfinished = serde_json::from_str(written).map(Self::Unfinished);
            unfinished.map_err(|_| of_json(&error, written.as_bytes()))
        })
    }
}

/// The form's only command, as its page wrote it.
pub(super) fn written(form: &Form) -> Result<&str, Problem> {
    form.some("command").ok_or_else(|| malformed("there is no command"))
}

/// What the form asks for, as it was sent, for the hash under an idempotency key: the same form sent again hashes
/// the same, also after an upgrade that reads it into other fields.
pub(super) fn as_sent(form: &Form, written: &str) -> String {
    format!("{written}\n{}", form.listed_without(&["csrf", "then", "here", "key", "version", "command"]))
}

/// The problem of a form without a choice that its command needs.
pub(super) fn missing(field: &'static str) -> Problem {
    of_body(&serde_json::Error::missing_field(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_desk::matches::Order;
    use owlbox_domain::code::Code;
    use owlbox_domain::matches::{Command, Slot};
    use owlbox_pages::unfinished::{BoardAction, SheetCommand};

    fn read(written: &str) -> Result<FormCommand<Order, SheetCommand>, Code> {
        FormCommand::read(written).map_err(|problem| problem.code)
    }

    #[test]
    fn a_command_is_whole_or_unfinished_or_refused_as_the_api_would() {
        let whole = FormCommand::Whole(Order::Command(Command::Close {}));
        assert_eq!(read(r#"{"command":"close"}"#), Ok(whole));
        let leave = SheetCommand::Board { by: Slot::Upper, action: BoardAction::LeaveBoard {} };
        for unfinished in
            [SheetCommand::Game {}, SheetCommand::Correct { game: 3 }, SheetCommand::Import {}, leave]
        {
            let written = serde_json::to_string(&unfinished).unwrap();
            assert_eq!(read(&written), Ok(FormCommand::Unfinished(unfinished)), "{written}");
        }
        for (wrong, code) in [
            (r#"{"command":"game","winner":"upper"}"#, Code::InvalidBody),
            (r#"{"command":"correct"}"#, Code::InvalidBody),
            (r#"{"command":"gamble"}"#, Code::InvalidBody),
            (r#"{"command":["game"]}"#, Code::InvalidBody),
            ("[1]", Code::InvalidBody),
            ("7", Code::InvalidBody),
            ("{", Code::MalformedJson),
            ("", Code::MalformedJson),
        ] {
            assert_eq!(read(wrong), Err(code), "{wrong}");
        }
    }
}
