//! What the desk shows of a match, for tests of the pages.

use crate::say::Say;
use crate::sentences::matches::SheetSentences;
use owlbox_base::journal::shared::{ShownStream, Viewer};
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::permissions::Public;
use owlbox_base::values::{MatchId, PlayerId};
use owlbox_desk::Rights;
use owlbox_desk::matches::screen::MatchScreen;
use owlbox_locale::{Language, Locale};
use owlbox_play::matches::clock::ClockSetting;
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Asker, Command, EnteredBy, Legal, ResultAuthority, Sheet, Slot, Terms};
use serde_json::json;

/// The screen of Ann and Bob's match for a viewer who may do what `may` accepts of all that is legal.
pub(super) fn screen(sheet: &Sheet, may: impl Fn(&Legal) -> bool) -> MatchScreen {
    let mut stream = Stream::<Sheet>::default();
    (stream.state, stream.version) = (sheet.clone(), 3);
    let mut legal = sheet.legal();
    legal.retain(may);
    let names = sheet.players().unwrap().into_iter().zip(["Ann", "Bob"].map(str::to_owned)).collect();
    let asker = Asker { by: EnteredBy::Scorer, word: ResultAuthority::Counts, division_clock: None };
    let viewer = Viewer { sees_payments: true, ..Viewer::default() };
    MatchScreen {
        id: MatchId(uuid::Uuid::from_u128(7)),
        stream: ShownStream::to(&viewer, &stream),
        principal: None,
        viewer,
        now: chrono::DateTime::UNIX_EPOCH.into(),
        offers: sheet.offers(&legal, &asker),
        legal,
        undo: None,
        redo: None,
        names,
        division_clock: None,
    }
}

/// A match's words in English.
pub(super) fn english(screen: &MatchScreen) -> SheetSentences<'_> {
    let t = Locale::new(Language::English, chrono_tz::UTC);
    let rights = Rights::new(None, Public::default());
    SheetSentences::new(Say::new(t, rights, &screen.names), &screen.stream.state)
}

/// A contested friendly match with a clock.
pub(super) fn contested() -> Sheet {
    let mut sheet = Sheet::initial();
    let players = [1, 2].map(|number| PlayerId(uuid::Uuid::from_u128(number)));
    let terms = Terms::match_to(Length::try_from(5).unwrap());
    let won = json!({"command": "game", "winner": "upper", "win": "single"});
    let commands = [
        Command::Open { players, terms, clock: Some(ClockSetting::STANDARD), of: None },
        Command::GivenBy { by: EnteredBy::Upper, command: Box::new(serde_json::from_value(won).unwrap()) },
        Command::Contest { by: Slot::Lower, game: Some(1) },
    ];
    for command in &commands {
        let now = chrono::DateTime::UNIX_EPOCH.into();
        let mut chance = owlbox_desk::Dice::seeded(0);
        for event in sheet.decide(command, &mut Inputs { now, chance: &mut chance }).unwrap() {
            sheet.apply(&event, now);
        }
    }
    sheet
}
