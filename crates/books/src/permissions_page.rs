//! Prints `docs/permissions.md` and tests what it says about commands.

use std::fmt::Write as _;

use owlbox_base::permissions::{
    CommandKind, Needs, OrderKind, Permission, Public, Role, Roles, Scope, allows, allows_public,
};
use owlbox_chouette as chouette;
use owlbox_play::{matches, tournament};

/// The commands of this kind that a caller may send, with what each requires.
fn listed<K: CommandKind>() -> Vec<(&'static str, Needs)> {
    OrderKind::<K>::all().map(|kind| (kind.name(), kind.needs())).collect()
}

/// The text of `docs/permissions.md`: the roles' table and one table of commands per kind of stream.
fn table_markdown() -> String {
    let mut text = String::from(include_str!("permissions_page/head.md"));
    let roles = Role::ALL.map(Role::name).join(" | ");
    let rule = " --- |".repeat(Role::ALL.len() + 2);
    // Writing to a String cannot fail.
    let _ =
        write!(text, "\n## What each role may do\n\n| permission | {roles} | nobody signed in |\n|{rule}\n");
    for permission in Permission::ALL {
        let _ = write!(text, "| `{}` |", permission.name());
        for role in Role::ALL {
            text.push_str(if allows(Roles::from_roles(&[role]), permission) { " yes |" } else { " |" });
        }
        let shown = |tables, standings| allows_public(Public { tables, standings }, permission);
        text.push_str(match (shown(true, false), shown(false, true)) {
            (false, false) => " |\n",
            (true, false) => " if tables are public |\n",
            (false, true) => " if standings are public |\n",
            (true, true) => " if anything is public |\n",
        });
    }
    let rule = " --- |".repeat(Role::ALL.len() + 1);
    let all = [
        ("A chouette's", "themselves", listed::<chouette::CommandKind>()),
        ("A match's", "own match", listed::<matches::CommandKind>()),
        ("A tournament's", "themselves", listed::<tournament::CommandKind>()),
    ];
    for (of, own, commands) in all {
        let _ = write!(text, "\n## {of} commands\n\n| command | {roles} |\n|{rule}\n");
        for (name, needs) in commands {
            let _ = write!(text, "| `{name}` |");
            for role in Role::ALL {
                match needs.scope(Roles::from_roles(&[role])) {
                    Scope::Nobody => text.push_str(" |"),
                    Scope::Oneself => {
                        let _ = write!(text, " {own} |");
                    }
                    Scope::Anybody => text.push_str(" anybody |"),
                }
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_printed_table_is_this_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/permissions.md");
    if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, table_markdown()).unwrap();
    }
    let printed = std::fs::read_to_string(path).unwrap();
    assert_eq!(printed, table_markdown(), "run this test again with OWLBOX_BLESS=1");
}

#[test]
fn players_answer_and_undo_for_themselves_alone() {
    use chouette::CommandKind::{
        AcceptPartnership, Beaver, Board, DeclineBox, DeclinePartnership, Double, Drop, GiveExtra,
        OpeningTie, PassExtra, Pay, Take,
    };
    for kind in OrderKind::all() {
        let own = match kind {
            OrderKind::History(_) => true,
            OrderKind::Command(kind) => [
                Double,
                Take,
                Drop,
                Beaver,
                GiveExtra,
                PassExtra,
                AcceptPartnership,
                DeclinePartnership,
                DeclineBox,
                OpeningTie,
                Board,
            ]
            .contains(&kind),
        };
        let expected = if own { Scope::Oneself } else { Scope::Nobody };
        assert_eq!(kind.scope(Roles::from_roles(&[Role::Player])), expected, "{kind:?}");
        let books = if kind == Pay.into() { Scope::Anybody } else { Scope::Nobody };
        assert_eq!(kind.scope(Roles::from_roles(&[Role::Treasurer])), books, "{kind:?}");
        for role in [Role::Scorer, Role::Director, Role::Admin] {
            assert_eq!(kind.scope(Roles::from_roles(&[role, Role::Player])), Scope::Anybody, "{kind:?}");
        }
    }
}

#[test]
fn players_score_their_own_match_and_neither_rule_nor_correct() {
    use matches::CommandKind::{AbandonBoard, Correct, Import, Late, Open, Pay, Penalty, Rule, RuleContest};
    for kind in OrderKind::all() {
        let run = [Open, Penalty, Late, Rule, RuleContest, Correct, AbandonBoard, Import, Pay]
            .map(OrderKind::from)
            .contains(&kind);
        let expected = if run { Scope::Nobody } else { Scope::Oneself };
        assert_eq!(kind.scope(Roles::from_roles(&[Role::Player])), expected, "{kind:?}");
        let books = if kind == Pay.into() { Scope::Anybody } else { Scope::Nobody };
        assert_eq!(kind.scope(Roles::from_roles(&[Role::Treasurer])), books, "{kind:?}");
        for role in [Role::Scorer, Role::Director, Role::Admin] {
            assert_eq!(kind.scope(Roles::from_roles(&[role, Role::Player])), Scope::Anybody, "{kind:?}");
        }
    }
}

/// Commands that only the service gives cannot be parsed from JSON.
#[test]
fn what_the_service_says_cannot_be_sent() {
    let said = |name: &str| serde_json::json!({ "command": name }).to_string();
    let unknown =
        |error: serde_json::Error| assert!(error.to_string().contains("unknown variant"), "{error}");
    for kind in matches::CommandKind::OF_SERVICE {
        unknown(serde_json::from_str::<matches::Command>(&said((*kind).into())).unwrap_err());
    }
    for kind in tournament::CommandKind::OF_SERVICE {
        unknown(serde_json::from_str::<tournament::Command>(&said((*kind).into())).unwrap_err());
    }
}
