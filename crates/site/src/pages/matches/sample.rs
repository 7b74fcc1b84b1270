//! What the desk shows of a match, for tests of the pages.

use std::sync::Arc;

use owlbox_base::journal::Stream;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::MatchId;
use owlbox_desk::matches::screen::MatchScreen;
use owlbox_play::matches::{Asker, EnteredBy, Legal, Sheet, Word};

/// The screen of Ann and Bob's match for a viewer who may do what `may` accepts of all that is legal.
pub(super) fn screen(sheet: &Sheet, may: impl Fn(&Legal) -> bool) -> MatchScreen {
    let mut stream = Stream::<Sheet>::default();
    (stream.state, stream.version) = (sheet.clone(), 3);
    let mut legal = sheet.legal();
    legal.retain(may);
    let names = sheet.players().unwrap().into_iter().zip(["Ann", "Bob"].map(str::to_owned)).collect();
    let asker = Asker { by: EnteredBy::Scorer, word: Word::Counts, division_clock: None };
    MatchScreen {
        id: MatchId(uuid::Uuid::from_u128(7)),
        stream: Arc::new(stream),
        principal: None,
        viewer: Viewer { sees_payments: true, ..Viewer::default() },
        now: chrono::DateTime::UNIX_EPOCH.into(),
        offers: sheet.offers(&legal, &asker),
        legal,
        undo: None,
        redo: None,
        names,
        division_clock: None,
    }
}
