//! Ledgers in words: their titles, where a posting comes from, and what it was for.

use crate::playing::other_game;
use owlbox_base::values::Holder;
use owlbox_books::club::players::UNNAMED;
use owlbox_books::daybook::MoveKind;
use owlbox_books::ledger::{PostingKind, Source};
use owlbox_chouette::bet::BetKind;
use owlbox_desk::books::statements::{StatementLine, StatementScreen};
use owlbox_locale::Locale;
use owlbox_play::tournament::money::TransferKind;

pub(super) fn title(t: &Locale, holder: Holder, own: bool, screen: &StatementScreen) -> String {
    match holder {
        Holder::Player(_) if own => t.get("your-ledger"),
        Holder::Player(_) => t.with("ledger-of", "name", screen.holder_name.as_deref().unwrap_or(UNNAMED)),
        Holder::Pool(tournament) => {
            let source = Source::Tournament(tournament);
            t.with("ledger-of-pool", "name", source_name(t, source, screen.sources.get(&source)))
        }
        Holder::House => t.get("ledger-of-house"),
        Holder::Bank => t.get("ledger-of-bank"),
        Holder::Opening => t.get("ledger-of-opening"),
        Holder::Rounding => t.get("ledger-of-rounding"),
        Holder::Outside => t.get("ledger-of-outside"),
    }
}

/// The name of a chouette or a tournament, or else a generic one. Of sheets, matches alone have a name, in
/// English.
pub(super) fn source_name(t: &Locale, source: Source, name: Option<&String>) -> String {
    match (source, name) {
        (Source::Match(_), Some(_)) => t.get("line-of-match"),
        (Source::Match(_), None) => t.get("line-of-session"),
        (Source::Chouette(_) | Source::Tournament(_) | Source::Daybook, Some(name)) => name.clone(),
        (Source::Chouette(_), None) => String::new(),
        (Source::Tournament(_), None) => t.get("line-of-tournament"),
        (Source::Daybook, None) => t.get("line-of-daybook"),
    }
}

/// The key of the text for a kind of posting.
const fn kind_key(kind: PostingKind) -> &'static str {
    match kind {
        PostingKind::Game => "line-game",
        PostingKind::Stake => "line-stake",
        PostingKind::Bet(BetKind::Member) => "line-bet",
        PostingKind::Bet(BetKind::Extra) => "line-extra",
        PostingKind::Bet(BetKind::ExtraPayment) => "line-extra-payment",
        PostingKind::Bet(BetKind::Partner) => "line-partner",
        PostingKind::Payment | PostingKind::Recorded(MoveKind::Payment) => "line-payment",
        PostingKind::Transfer(TransferKind::EntryFee) => "line-entry-fee",
        PostingKind::Transfer(TransferKind::Registration) => "line-registration",
        PostingKind::Transfer(TransferKind::SidePool) => "line-side-pool",
        PostingKind::Transfer(TransferKind::ReEntry) => "line-re-entry",
        PostingKind::Transfer(TransferKind::Added) => "line-added",
        PostingKind::Transfer(TransferKind::Kept) => "line-kept",
        PostingKind::Transfer(TransferKind::Prize) => "line-prize",
        PostingKind::Transfer(TransferKind::PaidIn) | PostingKind::Recorded(MoveKind::PaidIn) => {
            "line-paid-in"
        }
        PostingKind::Transfer(TransferKind::PaidOut) | PostingKind::Recorded(MoveKind::PaidOut) => {
            "line-paid-out"
        }
        PostingKind::Transfer(TransferKind::Refund) => "line-refund",
        PostingKind::Transfer(TransferKind::Returned) => "line-returned",
        PostingKind::Recorded(MoveKind::Membership) => "line-membership",
        PostingKind::Recorded(MoveKind::TableMoney) => "line-table-money",
        PostingKind::Recorded(MoveKind::OtherFee) => "line-other-fee",
        PostingKind::Recorded(MoveKind::Opening) => "line-opening",
        PostingKind::Recorded(MoveKind::PastGame) => "line-past-game",
        PostingKind::Recorded(MoveKind::Adjustment) => "line-adjustment",
        PostingKind::Recorded(MoveKind::Expense) => "line-expense",
        PostingKind::Recorded(MoveKind::Income) => "line-income",
        PostingKind::Recorded(MoveKind::Outside) => "line-outside",
        PostingKind::Recorded(MoveKind::Deposit) => "line-deposit",
        PostingKind::Recorded(MoveKind::Counted) => "line-counted",
    }
}

/// A kind of posting in words, by its name in the books.
pub(super) fn kind_name(t: &Locale, kind: &str) -> String {
    PostingKind::named(kind).map_or_else(|| kind.to_owned(), |kind| t.get(kind_key(kind)))
}

/// What a transaction was about: `Friday table, game 14`, with the variant if it was not backgammon; `Money
/// session, game 3`; `Autumn Open, entry fee`.
pub(super) fn what(t: &Locale, of: &str, line: &StatementLine) -> String {
    let subject = match (line.source, line.game) {
        (Source::Daybook, _) | (_, None) => kind_name(t, &line.bet),
        (Source::Chouette(_) | Source::Tournament(_) | Source::Match(_), Some(game)) => {
            t.with("game-number", "game", game)
        }
    };
    let what = match line.variant.and_then(|variant| other_game(t, variant)) {
        Some(played) => format!("{of}, {subject}, {played}"),
        None => format!("{of}, {subject}"),
    };
    let what = line.memo.as_ref().map_or_else(|| what.clone(), |memo| format!("{what}: {memo}"));
    match line.kind.as_str() {
        "reversal" => t.with("say-undone", "what", what),
        "correction" => t.with("line-corrected", "what", what),
        "contest" => t.with("line-contested", "what", what),
        "upheld" => t.with("line-upheld", "what", what),
        "merge" => t.with("line-merged", "what", what),
        _ => what,
    }
}

/// The page about what a posting came from.
pub(super) fn link(source: Source) -> String {
    match source {
        Source::Chouette(id) => format!("/chouettes/{id}"),
        Source::Tournament(id) => format!("/tournaments/{id}"),
        Source::Match(id) => format!("/matches/{id}"),
        Source::Daybook => "/ledger/daybook".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_transfer_has_words_of_its_own() {
        let words: BTreeSet<&str> =
            TransferKind::ALL.iter().map(|kind| kind_key(PostingKind::Transfer(*kind))).collect();
        assert_eq!(words.len(), TransferKind::ALL.len());
        assert!(!words.contains(kind_key(PostingKind::Payment)));
    }
}
