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
use crate::ask;
use crate::problem::{Problem, of_body};

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
        let written = written.as_bytes();
        ask::read(written).map(Self::Whole).or_else(|problem| {
            let unfinished = ask::read(written).map(Self::Unfinished);
            unfinished.map_err(|_| problem)
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
    format!("{written}\n{}", form.choices())
}

/// The problem of a form without a choice that its command needs.
pub(super) fn missing(field: &'static str) -> Problem {
    of_body(&serde_json::Error::missing_field(field))
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use owlbox_desk::matches::Order;
    use owlbox_desk::{chouettes, tournaments};
    use owlbox_domain::chouette::Side;
    use owlbox_domain::code::Code;
    use owlbox_domain::matches::{Command, MatchNo, Slot};
    use owlbox_domain::tournament::room::DivisionNo;
    use owlbox_engine::{Colour, Variant};
    use owlbox_pages::unfinished::{BoardAction, SheetCommand, TableCommand, TournamentCommand};
    use serde::Serialize;

    /// A form that is sent without its choice must do nothing, so its command may not be read as a whole one.
    fn stay_unfinished<O, U>(all: &[U])
    where
        O: DeserializeOwned + Debug + PartialEq,
        U: Serialize + DeserializeOwned + Clone + Debug + PartialEq,
    {
        for unfinished in all {
            let written = serde_json::to_string(unfinished).unwrap();
            let read = FormCommand::<O, U>::read(&written).unwrap();
            assert_eq!(read, FormCommand::Unfinished(unfinished.clone()), "{written}");
        }
    }

    #[test]
    fn no_unfinished_command_is_read_as_a_whole_one() {
        let before = Variant::Standard.start().into();
        let actions = [BoardAction::Play {}, BoardAction::LeaveBoard { before, turn: Colour::White }];
        let [play, leave] = actions.clone().map(|action| TableCommand::Board { by: Side::Box, action });
        stay_unfinished::<chouettes::Order, _>(&[
            TableCommand::Join {},
            TableCommand::EnterRolls {},
            play,
            leave,
        ]);
        let [play, leave] = actions.map(|action| SheetCommand::Board { by: Slot::Upper, action });
        stay_unfinished::<Order, _>(&[
            SheetCommand::Game {},
            SheetCommand::Correct { game: 3 },
            SheetCommand::Import {},
            play,
            leave,
        ]);
        let (division, number) = (DivisionNo(1), MatchNo(2));
        stay_unfinished::<tournaments::Order, _>(&[
            TournamentCommand::Result { division, number, players: None },
            TournamentCommand::PayIn {},
            TournamentCommand::PayOut {},
            TournamentCommand::Cancel {},
        ]);
    }

    fn read(written: &str) -> Result<FormCommand<Order, SheetCommand>, Code> {
        FormCommand::read(written).map_err(|problem| problem.code)
    }

    #[test]
    fn a_command_is_whole_or_refused_as_the_api_would() {
        let whole = FormCommand::Whole(Order::Command(Command::Close {}));
        assert_eq!(read(r#"{"command":"close"}"#), Ok(whole));
        for (wrong, code) in [
            (r#"{"command":"game","winner":"upper"}"#, Code::InvalidBody),
            (r#"{"command":"correct"}"#, Code::InvalidBody),
            (r#"{"command":"gamble"}"#, Code::InvalidBody),
            (r#"{"command":["game"]}"#, Code::InvalidBody),
            ("[1]", Code::InvalidBody),
            (r#"["close"]"#, Code::InvalidBody),
            ("7", Code::InvalidBody),
            ("{", Code::MalformedJson),
            ("", Code::MalformedJson),
        ] {
            assert_eq!(read(wrong), Err(code), "{wrong}");
        }
    }
}
