//! A game that the engine referees, from the opening roll to the last checker borne off. The box and the
//! captain each have a phone.

use serde_json::{Value, json};

use crate::support::evening::{Evening, Phone};

/// Enters dice that were rolled at the table.
#[track_caller]
pub fn enters(phone: &Phone, dice: [u8; 2]) {
    phone.browser.wait_for("#board-enter");
    if phone.browser.count("details#board-enter") > 0 {
        phone.open("#board-enter");
    }
    for (number, die) in dice.iter().enumerate() {
        phone.click(&format!("#die-{}-{die}", number + 1));
    }
    phone.tap("Enter these dice");
}

/// A refereed game driven over the API.
pub struct Played<'a> {
    /// The names of White and Black in commands.
    pub sides: [&'a str; 2],
    /// Reads the board's current state.
    pub board: &'a dyn Fn() -> Value,
    /// Gives a command, which must succeed.
    pub command: &'a dyn Fn(&Value),
}

impl Played<'_> {
    /// Plays on until White has so many checkers off and is to roll: White with large rolls, Black with the
    /// smallest, always the first legal play. A double takes four checkers off at once and could end the game
    /// too early, so White rolls none near the end.
    #[track_caller]
    pub fn until_nearly_off(&self, off: usize) {
        let mut borne_off = 0;
        let [white, _] = self.sides;
        for turn in 0_usize..400 {
            let board = (self.board)();
            let side = board["turn"].as_str().unwrap();
            if side == white && borne_off >= off {
                return;
            }
            let double = 6 - turn / 2 % 4;
            let dice = match side == white {
                true if borne_off + 4 >= off => json!([6, 5]),
                true => json!([double, double]),
                false => json!([2, 1]),
            };
            self.act(side, &json!({"action": "roll", "dice": dice}));
            let steps = first_play(&(self.board)());
            if steps.is_empty() {
                self.act(side, &json!({"action": "pass"}));
                continue;
            }
            if side == white {
                let off = |step: &&Value| step["from"].as_i64() <= step["pips"].as_i64();
                borne_off += steps.iter().filter(off).count();
            }
            self.act(side, &json!({"action": "play", "steps": steps}));
        }
        panic!("still {borne_off} off");
    }

    fn act(&self, by: &str, action: &Value) {
        (self.command)(&json!({"command": "board", "by": by, "action": action}));
    }
}

/// The steps of the first legal play.
fn first_play(board: &Value) -> Vec<Value> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(step) = board["steps"][at].get(0) {
        steps.push(json!({"from": step["from"], "pips": step["pips"]}));
        at = usize::try_from(step["then"].as_u64().unwrap()).unwrap();
    }
    steps
}

/// Plays the roll by tapping checkers that can go straight to their destination.
#[track_caller]
pub fn bears_off(phone: &Phone) {
    while phone.browser.count("#board-play:disabled") > 0 {
        phone.click(".tap.source");
        phone.click(".tap[data-place='0']");
    }
    phone.click("#board-play");
}

/// On a laptop the whole board is visible above the bar, with the names of both sides.
#[track_caller]
fn whole_on_a_laptop(phone: &Phone) {
    phone.sees("#board-status", "to roll");
    for (width, height) in [(1280, 800), (1366, 768)] {
        phone.browser.resize(width, height);
        let room = "const bottom = Math.max(...[...document.querySelectorAll('.board-side, .backgammon')]
                        .map((part) => part.getBoundingClientRect().bottom));
                    return document.querySelector('.bar').getBoundingClientRect().top - bottom";
        let room = phone.browser.run(room);
        assert!(room.as_f64() >= Some(0.0), "at {width}x{height} the bar covers {room} of the board");
        phone.fits();
    }
    phone.browser.resize(390, 844);
}

/// The size of the narrowest place of the board.
const NARROWEST: &str =
    "return Math.min(...[...document.querySelectorAll('#board-taps .tap')].map((tap) => tap.getBoundingClientRect())
    .map((box) => Math.min(box.width, box.height)))";

/// Each place of the board is as large as a thumb, and the page only scrolls down. Where the board is smaller
/// to fit the phone with its bar, a tap just beside a place is for it.
#[track_caller]
fn large_enough_for_a_thumb(phone: &Phone) {
    let phones = [
        (390, 844, 43.5),
        (360, 640, 30.0),
        (320, 568, 30.0),
        (320, 256, 43.5),
        (480, 800, 40.0),
        (620, 900, 43.5),
    ];
    for (width, height, at_least) in phones {
        phone.browser.resize(width, height);
        let narrowest = phone.browser.run(NARROWEST).as_f64();
        assert!(narrowest >= Some(at_least), "{narrowest:?} at {width}x{height}");
        phone.fits();
        let out = "const [board, page] = ['#backgammon', 'main'].map((css) => document.querySelector(css).getBoundingClientRect());
                   return [...document.querySelectorAll('#backgammon .tap, #backgammon circle')].map((one) => one.getBoundingClientRect())
                       .filter((one) => one.left < board.left - 2 || one.right > board.right + 2 || one.top < board.top - 2 || one.bottom > board.bottom + 2).length";
        assert_eq!(
            phone.browser.run(out),
            json!(0),
            "something is drawn beside the board at {width}x{height}"
        );
    }
    phone.browser.resize(390, 844);
}

/// The element that has the focus.
fn focused(phone: &Phone) -> String {
    let label =
        "const at = document.activeElement; return at.getAttribute('aria-label') ?? at.textContent.trim()";
    phone.browser.run(label).as_str().unwrap_or_default().to_owned()
}

/// The keys as a browser is told them.
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";

/// Goes on with the tabulator until this has the focus.
#[track_caller]
fn tabs_to(phone: &Phone, label: &str) {
    for _ in 0..80 {
        if focused(phone) == label {
            return;
        }
        phone.browser.type_keys(TAB);
    }
    panic!("no {label:?} for who has only a keyboard: {}", focused(phone));
}

/// A roll is played by keyboard alone, and nobody gives a game away with one tap.
#[test]
fn a_roll_is_played_by_keyboard_alone_and_who_resigns_is_asked_first() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(ada) = evening.phone_of("Ada") else { return };
    evening.phone.act("Game 1 starts on the board");
    enters(&evening.phone, [4, 2]);
    ada.sees("#board-status", "Ada to play 4-2");
    large_enough_for_a_thumb(&ada);
    ada.browser.resize(320, 256);
    for (from, to) in [("8", "4"), ("6", "4")] {
        tabs_to(&ada, &format!("Move from {from}"));
        ada.browser.type_keys(ENTER);
        tabs_to(&ada, &format!("To {to}"));
        ada.browser.type_keys(ENTER);
    }
    assert_eq!(focused(&ada), "Ada plays 8/4 6/4", "the focus goes where the roll is played");
    ada.browser.type_keys(ENTER);
    ada.sees("#board-status", "Kim to roll, or to double");

    let phone = &evening.phone;
    phone.open("#board-resign");
    assert!(!phone.sees_now("Ada resigns: Gammon"), "what gives a game away is not one tap away");
    phone.tap("Ada resigns: Gammon …");
    phone.sees(
        "#board-resign details[open] p",
        "Kim is asked first. Once accepted, the game is over: Gammon.",
    );
    phone.tap("Ada resigns: Gammon");
    phone.sees("#board-status", "Ada resigns: Gammon");
    evening.ends_well();
}

/// The middle of the last checker that is drawn on this place, in window coordinates.
#[track_caller]
fn checker(phone: &Phone, place: u8) -> [f64; 2] {
    phone.browser.run("document.querySelector('#backgammon').scrollIntoView({ behavior: 'instant' })");
    phone.browser.run(&format!(
        "document.querySelector('#last-checker')?.removeAttribute('id');
         [...document.querySelectorAll('#board-men [data-at=\"{place}\"]')].at(-1).id = 'last-checker'"
    ));
    phone.browser.middle_of("#last-checker")
}

/// Drags a checker to another place, with a finger or a mouse.
#[track_caller]
fn drags(phone: &Phone, with: &str, [from, to]: [u8; 2]) {
    let at = checker(phone, from);
    let place = phone.browser.middle_of(&format!(".tap[data-place='{to}']"));
    phone.browser.drag(with, at, place);
}

/// Where every checker is drawn.
const MEN: &str = "return [...document.querySelectorAll('#board-men circle')].map((man) =>
    `${man.getAttribute('cx')},${man.getAttribute('cy')}`).sort().join(' ')";

/// A checker is dragged as well as tapped. It goes where it may, and anywhere else it is put back; only the
/// finger that holds one does not scroll the page.
#[test]
fn a_checker_is_dragged_where_it_may_go_and_put_back_from_elsewhere() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(ada) = evening.phone_of("Ada") else { return };
    evening.phone.act("Game 1 starts on the board");
    enters(&evening.phone, [4, 2]);
    ada.sees("#board-status", "Ada to play 4-2");
    ada.browser.resize(390, 844);
    let (browser, plays) = (&ada.browser, || ada.browser.text("#board-play"));
    let unmoved = browser.run(MEN);
    let scrolled = || browser.run("return window.scrollY").as_f64().unwrap_or_default();

    for with in ["touch", "mouse"] {
        for elsewhere in [7, 24] {
            drags(&ada, with, [8, elsewhere]);
            assert_eq!(browser.count("#board-taps .held"), 0, "{with}: put back");
            assert_eq!(browser.run(MEN), unmoved, "{with}: nothing goes from 8 to {elsewhere}");
            assert_eq!(plays(), "Ada plays");
        }
    }
    let [x, y] = checker(&ada, 8);
    let before = scrolled();
    browser.drag("touch", [x, y], [x, y + 90.0]);
    assert!((scrolled() - before).abs() < 1.0, "a finger that holds a checker does not scroll the page");
    assert_eq!(browser.run(MEN), unmoved);
    let [x, y] = browser.middle_of(".tap[data-place='10']");
    // Until it stands still: a finger that stops a page that glides on drags nothing.
    browser.run("window.still = false; window.onscrollend = () => { window.still = true }");
    browser.drag("touch", [x, y + 150.0], [x, y - 50.0]);
    browser.wait_until("a finger elsewhere on the board to scroll the page", || {
        scrolled() > before + 40.0 && browser.run("return window.still") == true
    });

    drags(&ada, "touch", [8, 4]);
    assert_eq!(plays(), "Ada plays 8/4", "with a finger");
    drags(&ada, "mouse", [6, 4]);
    assert_eq!(plays(), "Ada plays 8/4 6/4", "with a mouse");
    ada.click("#board-back");
    assert_eq!(plays(), "Ada plays 8/4");
    ada.click(".tap[data-place='6']");
    ada.click(".tap[data-place='4']");
    assert_eq!(plays(), "Ada plays 8/4 6/4", "two taps do the same as before");
    ada.click("#board-play");
    ada.sees("#board-status", "Kim to roll, or to double");
    evening.ends_well();
}

/// Whatever is dragged too far goes back before one's eyes, but not before those of readers who want nothing
/// to move. One drag is worth both dice where they take a checker on.
#[test]
fn a_drag_plays_both_dice_and_nothing_glides_for_whom_nothing_should_move() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(ada) = evening.phone_of("Ada") else { return };
    evening.phone.act("Game 1 starts on the board");
    enters(&evening.phone, [4, 2]);
    ada.sees("#board-status", "Ada to play 4-2");
    ada.browser.resize(1280, 800);
    ada.browser.run(
        "const glide = Element.prototype.animate;
         window.glides = 0;
         Element.prototype.animate = function (...how) { window.glides += 1; return glide.apply(this, how); }",
    );
    for (calm, glides) in [(true, 0), (false, 1)] {
        ada.browser.calm(calm);
        drags(&ada, "mouse", [13, 12]);
        assert_eq!(ada.browser.run("return window.glides"), json!(glides), "calm: {calm}");
    }
    // Let go outside the board.
    let at = checker(&ada, 13);
    ada.browser.drag("mouse", at, [4.0, at[1]]);
    assert_eq!(ada.browser.count("#board-taps .held, .tap.over"), 0);
    assert_eq!(ada.browser.text("#board-play"), "Ada plays");
    drags(&ada, "mouse", [24, 18]);
    assert_eq!(ada.browser.text("#board-play"), "Ada plays 24/20 20/18");
    ada.fits();
    evening.ends_well();
}

/// G1..G17: the opening roll, a double and its answer, plays from both sides' phones, and the last checkers
/// borne off, which ends the game with its score.
/// Door: board.
#[test]
fn a_refereed_game_goes_from_the_opening_roll_to_its_result_on_two_phones() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let (Some(ada), Some(kim)) = (evening.phone_of("Ada"), evening.phone_of("Kim")) else { return };
    evening.phone.act("Game 1 starts on the board");
    ada.sees("#board-status", "Opening roll");
    assert!(ada.offers("Roll one die each"), "here the service may roll for them");
    assert_eq!(ada.browser.count("#board-enter"), 0, "what was rolled at the table the scorer enters");
    enters(&evening.phone, [4, 2]);
    kim.sees("#board-status", "Ada to play 4-2");
    assert_eq!(kim.browser.count("#board-play, #board-list"), 0, "the play is Ada's");
    kim.fits();
    ada.click(".tap[data-place='8']");
    ada.click(".tap[data-place='4']");
    // Somebody comes meanwhile, and goes again: what was tapped stays, and so does an open list.
    let max = evening.house.player(&evening.table.client, "Max");
    evening.command(&json!({"command": "join", "player": max}));
    ada.sees("#log li:first-child", "Max joins");
    ada.click(".tap[data-place='6']");
    ada.click(".tap[data-place='4']");
    ada.sees("#board-play", "Ada plays 8/4 6/4");
    ada.fits();
    ada.click("#board-play");

    kim.sees("#board-status", "Kim to roll, or to double");
    whole_on_a_laptop(&evening.phone);
    kim.act("Kim doubles to 2");
    ada.act("Box takes 2 from Kim");
    kim.sees("#board-status", "Kim to roll");
    kim.tap("Kim rolls");
    kim.sees("#board-status", "Kim to play");
    kim.open("#board-list");
    evening.command(&json!({"command": "leave", "player": max}));
    kim.sees("#log li:first-child", "Max leaves");
    assert_eq!(kim.browser.count("#board-list[open]"), 1);
    kim.click("#board-list button");
    ada.sees("#board-status", "Ada to roll");

    let played = Played {
        sides: ["box", "team"],
        board: &|| evening.table.state()["game"]["board"].clone(),
        command: &|command| evening.command(command),
    };
    played.until_nearly_off(13);
    ada.sees("#board-status", "Ada to roll");
    enters(&evening.phone, [6, 6]);
    ada.sees("#board-status", "Ada to play 6-6");
    bears_off(&ada);
    for phone in [&ada, &kim, &evening.phone] {
        phone.sees("#log li:first-child", "Box wins a ");
        phone.sees("#now", "Ada is box, Lou captain");
    }
    let [kim_lost, lou_lost] = ["Kim", "Lou"].map(|name| evening.score(name));
    assert!(kim_lost == -8 || kim_lost == -12, "a gammon or more at 2, in half points: {kim_lost}");
    assert_eq!(lou_lost, -2, "C9: of the cube nobody turned it counts once");
    evening.ends_well();
}
