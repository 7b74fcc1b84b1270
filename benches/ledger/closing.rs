//! How long others who post wait while a month of 100,000 postings is closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use owlbox_books::daybook::DaybookCommand;
use owlbox_desk::{Actor, Request, StoreError};
use serde_json::json;

use super::club::{Club, another, day};
use super::median;
use super::moment::measured_or;

/// When something began and ended.
type Span = (Instant, Instant);

pub fn measure(database: &str, club: &Club) {
    club.play_in_january(8, measured_or(2, 1_042));
    let done = AtomicBool::new(false);
    let (waits, closings) = std::thread::scope(|scope| {
        let posting = scope.spawn(|| {
            // The table's own games have lower numbers.
            let games = (1_000_000..).take_while(|_| !done.load(Ordering::Acquire));
            games.map(|game| span(|| post(club, game))).collect::<Vec<_>>()
        });
        let closings: Vec<Span> = (0..measured_or(1, 11)).map(|_| close_and_reopen(club)).collect();
        done.store(true, Ordering::Release);
        (posting.join().unwrap(), closings)
    });
    let length = |span: &Span| span.1 - span.0;
    let longest =
        |during: &dyn Fn(&&Span) -> bool| waits.iter().filter(during).map(length).max().unwrap_or_default();
    let during = |closing: &Span| longest(&|wait| wait.0 < closing.1 && wait.1 > closing.0);
    let beside = longest(&|wait| closings.iter().all(|closing| wait.1 < closing.0 || wait.0 > closing.1));
    println!(
        "{database}, a month closed in {:.2?}: the longest wait meanwhile {:.2?}, at worst {:.2?}  (gate 100 ms); \
         of {} waits the middle one {:.2?}, the longest without a closing {beside:.2?}",
        median(closings.iter().map(length).collect()),
        median(closings.iter().map(during).collect()),
        closings.iter().map(during).max().unwrap_or_default(),
        waits.len(),
        median(waits.iter().map(length).collect()),
    );
}

fn span(work: impl FnOnce()) -> Span {
    let begun = Instant::now();
    work();
    (begun, Instant::now())
}

/// Posts a game of the month after.
fn post(club: &Club, game: u64) {
    let (table, day) = (club.table, day(club.year + 1, 2));
    club.store
        .write_blocking(move |transaction| {
            transaction.post(vec![another(table, day, game)], day);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

/// Closes January, and opens it again. Says when it was closed.
fn close_and_reopen(club: &Club) -> Span {
    let month = format!("{}-01", club.year + 1);
    let give = |order: serde_json::Value| {
        let order: DaybookCommand = serde_json::from_value(order).unwrap();
        club.runtime.block_on(club.desk.record(Request::by(Actor::CONSOLE), order)).unwrap();
    };
    let apart = Duration::from_millis(measured_or(1, 300));
    std::thread::sleep(apart);
    let closed = span(|| give(json!({"command": "close_month", "month": month})));
    std::thread::sleep(apart);
    give(json!({"command": "reopen_month", "month": month, "reason": "measured again"}));
    closed
}
