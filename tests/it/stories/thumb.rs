//! A turn on the board of a phone: what is to be done next is under the thumb, in words, and its player is
//! called.

use serde_json::json;

use super::board::enters;
use super::matches::Room;
use crate::support::evening::Phone;

/// The phones on which a whole turn needs no scrolling.
const PHONES: [(u32, u32); 2] = [(390, 844), (360, 640)];

/// What cannot be reached on a page that stands at its top: buttons out of the window, a board that the bar
/// covers, a sentence that is not above the board.
const OUT_OF_REACH: &str = "
    scrollTo(0, 0);
    const box = (css) => document.querySelector(css).getBoundingClientRect();
    const bar = box('#undo-bar'), board = box('#backgammon'), said = box('#board-status');
    const out = [];
    if (board.bottom > bar.top + 1) out.push('the bar covers the board by ' + (board.bottom - bar.top));
    if (said.top < 0 || said.bottom > board.top) out.push('the sentence is not above the board');
    for (const one of document.querySelectorAll('#undo-bar :is(button, .button)')) {
        const at = one.getBoundingClientRect();
        if (!one.checkVisibility() || !at.width) continue;
        if (at.top < 0 || at.bottom > innerHeight || at.height < 44) out.push(one.textContent.trim() + ': ' + at.height + ' high, to ' + at.bottom);
    }
    return out";

#[track_caller]
fn within_reach(phone: &Phone, when: &str) {
    for (width, height) in PHONES {
        phone.browser.resize(width, height);
        assert_eq!(phone.browser.run(OUT_OF_REACH), json!([]), "{when} at {width}x{height}");
        phone.fits();
        super::matches::pictures(phone, &format!("thumb-{}-{width}", when.replace(' ', "-")));
    }
    phone.browser.resize(390, 844);
}

/// A roll, a double, its answer and a play are each where the thumb is, and the other player's phone says by
/// title and sound that it is their turn. What the other one moved is seen to move, unless nothing should.
#[test]
fn a_turn_on_a_phone_needs_no_scrolling_and_calls_its_player() {
    let Some(room) = Room::open(crate::support::browser::Browser::phone()) else { return };
    let new = json!({"players": room.players, "terms": {"play": "match", "length": 5}});
    let opened = room.client.post("/api/v1/matches", &new).good().body;
    let sheet = format!("/matches/{}", opened["match"]["id"].as_str().unwrap());
    let command = |command| room.client.post(&format!("/api/v1{sheet}/commands"), &command).good();
    command(json!({"command": "start_board", "dice": "entered"}));
    let of = |at: usize, name: &str| {
        let phone = Phone::of_player(&room.house, &room.client, (name, &room.players[at]))?;
        phone.goto(&sheet);
        Some(phone)
    };
    let (Some(ann), Some(bob)) = (of(0, "Ann"), of(1, "Bob")) else { return };
    let title = |phone: &Phone, begins: &str| {
        phone.browser.wait_until(begins, || phone.browser.title().starts_with(begins));
    };
    ann.browser.run(
        "window.rings = 0; document.addEventListener('ring', () => { window.rings += 1; });
         const glide = Element.prototype.animate;
         window.glides = 0;
         Element.prototype.animate = function (...how) { window.glides += 1; return glide.apply(this, how); }",
    );
    ann.browser.calm(false);
    let counted = |what: &str| ann.browser.run(&format!("return window.{what}")).as_u64().unwrap();
    title(&ann, "● Your turn · ");
    ann.tap("Sound on my turn");
    ann.browser.wait_until("the sound to be tried", || counted("rings") == 1);

    enters(&ann, [4, 2]);
    ann.sees("#board-status", "Ann to play 4-2");
    assert_eq!(ann.browser.count("[data-point].lit, .landing"), 0);
    ann.click(".tap[data-place='8']");
    assert_eq!(ann.browser.count("[data-point='4'].lit, .landing"), 4, "where it may go lights up");
    ann.browser.resize(360, 640);
    let [x, y] = ann.browser.middle_of(".tap[data-place='4']");
    let half = "return document.querySelector(\".tap[data-place='4']\").getBoundingClientRect().height / 2";
    ann.browser.tap_at([x, y - ann.browser.run(half).as_f64().unwrap() - 4.0]);
    ann.sees("#board-play", "Ann plays 8/4");
    for place in [6, 4] {
        ann.click(&format!(".tap[data-place='{place}']"));
    }
    assert_eq!(ann.browser.run("return window.glides"), json!(2), "both checkers are seen to move");
    within_reach(&ann, "a play");
    ann.click("#board-play");
    title(&bob, "● Your turn · ");
    ann.browser.wait_until("nothing to call Ann", || !ann.browser.title().starts_with('●'));
    assert_eq!(counted("rings"), 1, "what the other one has to do rings for them");

    bob.sees("#board-status", "Bob to roll, or to double");
    bob.tap("Bob doubles to 2");
    ann.sees("#board-status.yours", "Bob doubles to 2: take or drop?");
    title(&ann, "● Bob doubles to 2: take or drop? · ");
    assert_eq!(counted("rings"), 2);
    bob.sees("#board-status", "Bob turns the cube to 2: Ann takes or drops");
    within_reach(&ann, "a double");
    ann.tap("Ann drops and loses 1 …");
    ann.sees("#undo-bar details[open]", "The game is over then, and Bob wins 1.");
    ann.tap("Ann takes the cube at 2");
    bob.sees("#board-status", "Bob to roll");

    ann.browser.calm(false);
    let glides = counted("glides");
    let moves = |dice, steps| {
        command(json!({"command": "board", "by": "lower", "action": {"action": "roll", "dice": dice}}));
        ann.sees("#board-status", "Bob to play");
        command(json!({"command": "board", "by": "lower", "action": {"action": "play", "steps": steps}}));
        ann.sees("#board-status", "Ann to roll");
    };
    moves([6, 5], json!([{"from": 24, "pips": 6}, {"from": 18, "pips": 5}]));
    assert_eq!(counted("glides"), glides + 1, "what Bob moved is seen to move");
    within_reach(&bob, "waiting");
    ann.browser.calm(true);
    command(json!({"command": "board", "by": "upper", "action": {"action": "roll", "dice": [3, 1]}}));
    ann.sees("#board-status", "Ann to play 3-1");
    ann.click(".tap[data-place='8']");
    ann.click(".tap[data-place='5']");
    assert_eq!(counted("glides"), glides + 1, "nothing glides for whom nothing should move");
    room.ends_well();
}
