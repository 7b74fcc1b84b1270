//! Every refusal has a command that leads to it, and its code.

use std::collections::BTreeSet;

use super::*;
use crate::matches::MOST_BYTES;
use owlbox_engine::game::Action;

/// A code, and a way to provoke it.
type Case = (&'static str, fn() -> Refusal);

const CASES: [Case; 12] = [
    ("match_not_open", || Table::new().refused(&Command::Adjourn {})),
    ("match_already_open", || Table::to(3).refused(&open(match_to(3)))),
    ("same_player", || {
        let players = [player(1), player(1)];
        Table::new().refused(&Command::Open { players, terms: match_to(3), clock: None, of: None })
    }),
    ("not_in_match", || Table::to(3).refused(&Command::Close {})),
    ("not_refereed", || Table::to(3).refused(&Command::AbandonBoard {})),
    ("bad_penalty", || Table::to(3).refused(&Command::Penalty { gains: Upper, points: 0 })),
    ("bad_penalty", || Table::to(3).refused(&Command::Penalty { gains: Upper, points: 256 })),
    ("cannot_be_turned", || {
        let turned = Entered { turned: Some(true), ..entered(Upper, Win::Single, 1) };
        Table::to(3).refused(&Command::Game(turned))
    }),
    ("cannot_be_turned", || {
        let not_turned = Entered { turned: Some(false), ..entered(Upper, Win::Single, 2) };
        Table::to(3).refused(&Command::Game(not_turned))
    }),
    ("not_opened", || {
        let mut table = Table::to(3);
        table.good(&Command::StartBoard { dice: DiceSource::Entered });
        table.refused(&Command::Board { by: Upper, action: Action::Pass {} })
    }),
    ("file_too_long", || {
        let text = " ".repeat(MOST_BYTES + 1);
        Table::to(3).refused(&Command::Import { text, left: Upper })
    }),
    ("not_refereed", || Table::to(3).refused(&Command::Board { by: Upper, action: Action::Pass {} })),
];

#[test]
fn every_command_that_cannot_be_is_refused_by_its_code() {
    for (code, refused) in CASES {
        assert_eq!(refused().code().name(), code);
    }
}

#[test]
fn codes_are_told_apart() {
    let codes: BTreeSet<_> = Refusal::CODES.iter().copied().collect();
    assert_eq!(codes.len(), Refusal::CODES.len());
}

#[test]
fn a_sheet_has_a_thousand_games_at_most() {
    let mut table = Table::money(CubeOptions::default());
    for _ in 0..1_000 {
        table.game(Upper, Win::Single, 1);
    }
    for command in
        [game(Upper, Win::Single, 1), Command::Draw {}, Command::StartBoard { dice: DiceSource::Drawn }]
    {
        assert_eq!(table.refused(&command), Refusal::TooManyGames { most: 1_000 });
    }
}

#[test]
fn a_command_is_written_as_documented() {
    let written = r#"{"command":"game","winner":"upper","win":"gammon","cube":2}"#;
    assert_eq!(serde_json::from_str::<Command>(written).unwrap(), game(Upper, Win::Gammon, 2));
    let open_match = r#"{"command":"open","players":["00000000-0000-0000-0000-000000000001",
        "00000000-0000-0000-0000-000000000002"],"terms":{"play":"match","length":7}}"#;
    assert_eq!(serde_json::from_str::<Command>(open_match).unwrap(), open(match_to(7)));
    assert!(
        serde_json::from_str::<Command>(r#"{"command":"game","winner":"upper","win":"single","points":3}"#)
            .is_err()
    );
}
