//! The sheet on which a match is scored: the score, the result of the game, and everything else that can be
//! recorded.

use crate::pages::button::{Button, Target};
use std::mem::take;

use chrono::TimeDelta;

use super::acts::Buttons;
use super::board::board;
use super::{MatchContext, Scoring, SheetLine, StatisticsLine, steps, words};
use crate::pages::directing::{Link, address};
use crate::pages::live::live_page;
use crate::pages::playing::Playing;
use crate::pages::words as page_words;
use crate::pages::{Board, Choice, Fields, Frame, LivePart};
use owlbox_base::journal::Version;
use owlbox_base::values::MatchId;
use owlbox_engine::tables::equity::Phase;
use owlbox_locale::Locale;
use owlbox_play::matches::clock::Clock;
use owlbox_play::matches::view::LineKind;
use owlbox_play::matches::{Command, CommandKind, Legal, Slot, Status, Terms, View};

#[derive(Debug)]
pub struct SheetPage {
    pub t: Locale,
    pub frame: Frame,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub target: Target,
    pub id: String,
    /// Why the last act was refused.
    pub notice: Option<String>,
    pub facts: Vec<String>,
    /// The variant, if it is not backgammon (V1 to V4).
    pub variant: Option<String>,
    /// The match in its tournament: address and name.
    pub around: Option<(String, String)>,
    pub sides: [SheetSide; 2],
    /// The state of the match in a sentence.
    pub said: String,
    /// Who owes whom how much, in a money session.
    pub owed: Option<String>,
    /// Who entered a final score that was stated without games, and who contests it.
    pub stated: Vec<String>,
    /// Buttons to contest that score, and to rule on it.
    pub contests: Vec<Button>,
    /// Whether something is contested and others have to rule on it.
    pub others_rule: bool,
    /// Whether something is contested and the viewer has to rule on it. The buttons are at its line.
    pub viewer_rules: bool,
    /// Whether the match is over.
    pub over: bool,
    /// Each side's chance to win the match.
    pub chance: Option<Chance>,
    /// The board of the present game, if it is refereed.
    pub board: Option<Board>,
    /// Buttons to play the next game on a board.
    pub starts: Vec<Button>,
    /// The number of the next game.
    pub next_game: u32,
    /// Whether the plays of the last game are on record.
    pub from_board: bool,
    /// The form for the next game, or for a correction.
    pub scoring: Option<Scoring>,
    /// The choices for who began the game.
    pub began: Vec<Choice>,
    pub acts: Vec<Button>,
    pub further: Further,
    /// Undoes the newest act of the sheet.
    pub undo: Option<Button>,
    pub redo: Option<Button>,
    /// Whether the viewer can do anything here.
    pub may_act: bool,
    /// The lines of the sheet, newest first.
    pub lines: Vec<SheetLine>,
    /// Games won by kind and side (M8).
    pub statistics: Vec<StatisticsLine>,
    /// The address of the clock's page, if there is a clock.
    pub clock: Option<String>,
    /// The address where the match is exported as match text.
    pub text: Option<String>,
}

live_page!(SheetPage, "matches/sheet_live.html" in "matches/sheet.html");

#[derive(Clone, Debug)]
pub struct SheetSide {
    pub name: String,
    pub link: String,
    pub score: u32,
    /// How many points it still needs.
    pub away: Option<String>,
    /// The penalty points in its score, in words.
    pub penalty: Option<String>,
    /// Whether it won. `None` while the match goes on.
    pub won: Option<bool>,
}

/// Each side's chance to win the match.
#[derive(Clone, Debug)]
pub struct Chance {
    pub texts: [String; 2],
    /// Both chances in a sentence.
    pub said: String,
    /// The upper side's part of a bar of 1000.
    pub part: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Further {
    pub acts: Vec<Button>,
    /// One button for each side that can be given penalty points. The label names the side at fault.
    pub penalties: Vec<Button>,
    /// For each side, how many penalty points would make the next game the Crawford game.
    pub crawford: Vec<String>,
    /// One button for each side that may have come late.
    pub late: Vec<Button>,
    /// States the final score without games: the button, the least points of each side, and the length.
    pub stated: Option<(Button, [u16; 2], u16)>,
    /// The director's ruling: the button, and the rulings to choose from.
    pub ruling: Option<(Button, Vec<Choice>)>,
    /// Of a tournament's match, the page of the desk that asks whether somebody who did not come goes on.
    pub no_show: Option<Link>,
    pub clock: Option<ClockForm>,
    pub no_clock: Option<Button>,
    /// Imports games from a match text.
    pub import: Option<Button>,
    pub close: Option<Button>,
}

/// The form that sets the clock: filled in with what each side has left or, without a clock yet, with what a director
/// grants in mid-match.
#[derive(Clone, Debug)]
pub struct ClockForm {
    pub button: Button,
    /// What each side would have, in minutes and seconds.
    pub left: [String; 2],
    /// Seconds of each move that cost nothing.
    pub delay: u16,
    /// How the proposal comes about. `None` if there is a clock already.
    pub why: Option<String>,
}

impl ClockForm {
    /// Filled in with what is left, or with what is offered.
    fn new(context: &MatchContext<'_>) -> Option<Self> {
        let t = context.t;
        let seconds = |left: TimeDelta| u32::try_from(left.num_seconds().max(0)).unwrap_or(0);
        let left = |clock: &Clock| clock.left(context.screen.now).map(seconds);
        let has = context.sheet.clock_setting().zip(context.sheet.clock().map(left));
        let offered = context.screen.offers.iter().find_map(|offer| {
            if let Command::SetClock { clock, left } = &offer.command { clock.zip(*left) } else { None }
        });
        let (setting, left) = has.or(offered)?;
        // The form asks what each side has left.
        let command = Command::SetClock { clock: Some(setting), left: None };
        let [reserve, granted] = [setting.reserve_a_point.into(), left[0]].map(written);
        let why = || t.fill("scoring-clock-why", &[("reserve", &reserve), ("time", &granted)]);
        Some(Self {
            button: Button::new(t.get("scoring-clock-set"), &command),
            left: left.map(written),
            delay: setting.delay,
            why: has.is_none().then(why),
        })
    }
}

/// Seconds in minutes and seconds, as they are typed: `9`, `9:30`.
fn written(seconds: u32) -> String {
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    }
}

/// Reads minutes, or minutes and seconds, in seconds: `9`, `9:30`.
#[must_use]
pub fn minutes_and_seconds(typed: &str) -> Option<u32> {
    let whole = |digits: &str| -> Option<u32> {
        digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let (minutes, seconds) = typed.split_once(':').unwrap_or((typed, "0"));
    let seconds = whole(seconds).filter(|seconds| *seconds < 60)?;
    whole(minutes)?.checked_mul(60)?.checked_add(seconds)
}

impl Further {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.acts.is_empty()
            && self.penalties.is_empty()
            && self.late.is_empty()
            && self.stated.is_none()
            && self.ruling.is_none()
            && self.clock.is_none()
            && self.import.is_none()
    }

    /// The forms, and the buttons that are seldom wanted.
    fn new(context: &MatchContext<'_>, buttons: Buttons) -> Self {
        let t = context.t;
        let Buttons { further: acts, no_clock, close, .. } = buttons;
        let mut further = Self { acts, no_clock, close, ..Self::default() };
        for legal in &context.screen.legal {
            match legal {
                Legal::Penalty { gains, .. } => {
                    let penalty = |gains: &Slot| {
                        let label = t.with("scoring-penalty-of", "name", context.name(gains.other()));
                        let lacking = Fields::lacking(CommandKind::Penalty).with("gains", gains);
                        Button::of_form(label, lacking)
                    };
                    further.penalties = gains.iter().rev().map(penalty).collect();
                    further.crawford =
                        gains.iter().filter_map(|gains| to_crawford(context, *gains)).collect();
                }
                Legal::Late { by } => {
                    let late = |by: &Slot| {
                        let label = t.with("scoring-late", "name", context.name(*by));
                        Button::of_form(label, Fields::lacking(CommandKind::Late).with("by", by))
                    };
                    further.late = by.iter().map(late).collect();
                }
                Legal::Final { length, at_least } => {
                    let lacking = Fields::lacking(CommandKind::Final);
                    let button = Button::of_form(t.get("scoring-final-record"), lacking);
                    further.stated = Some((button, *at_least, *length));
                }
                Legal::Rule { goes_on } => {
                    // Every ruling names the command, so that none is given before one is chosen.
                    let button = Button::of_form(t.get("scoring-rule-record"), Fields::default());
                    further.ruling = Some((button, rulings(context, *goes_on)));
                    further.no_show = no_show(context);
                }
                Legal::SetClock { .. } => further.clock = ClockForm::new(context),
                Legal::Import {} => {
                    let fields = Fields::lacking(CommandKind::Import);
                    further.import = Some(Button::of_form(t.get("scoring-import-record"), fields));
                }
                // Buttons, of the offers.
                Legal::Open { .. }
                | Legal::Concede { .. }
                | Legal::Draw {}
                | Legal::Game { .. }
                | Legal::Resign { .. }
                | Legal::Correct { .. }
                | Legal::Contest { .. }
                | Legal::WithdrawContest { .. }
                | Legal::RuleContest { .. }
                | Legal::Adjourn { .. }
                | Legal::Resume { .. }
                | Legal::Pay { .. }
                | Legal::StartBoard { .. }
                | Legal::Board { .. }
                | Legal::AbandonBoard { .. }
                | Legal::StartClock { .. }
                | Legal::PressClock { .. }
                | Legal::PauseClock { .. }
                | Legal::ResumeClock { .. }
                | Legal::Close {} => {}
            }
        }
        further
    }
}

/// How many more points bring a side to one point away, so that the next game is the Crawford game (M3).
/// `None` after it.
fn to_crawford(context: &MatchContext<'_>, gains: Slot) -> Option<String> {
    let tally = context.sheet.tally().filter(|tally| tally.phase() == Phase::BeforeCrawford)?;
    let points = tally.away(gains).saturating_sub(1);
    Some(
        context.t.fill("scoring-penalty-to-crawford", &[("name", &context.name(gains)), ("points", &points)]),
    )
}

/// The page of the desk for a match of a tournament.
fn no_show(context: &MatchContext<'_>) -> Option<Link> {
    let of = context.sheet.tournament_match()?;
    let to = address(of.tournament, &format!("/{}/matches/{}", of.division, of.number.0));
    Some(Link::new(to, context.t.get("scoring-no-show")))
}

/// The rulings a director can choose from. That somebody did not come is said at the desk, where there is one.
fn rulings(context: &MatchContext<'_>, goes_on: bool) -> Vec<Choice> {
    let t = context.t;
    let at_the_desk = context.sheet.tournament_match().is_some();
    let rule = || Fields::lacking(CommandKind::Rule);
    let kinds = [
        ("conceded", "desk-concedes"),
        ("forfeit", "desk-forfeits"),
        ("walkover", "desk-walks-over"),
        ("disqualified", "desk-disqualified"),
    ];
    let mut choices = Vec::new();
    if goes_on {
        choices.push(Choice::new(rule().choice(), t.get("scoring-goes-on"), false));
    }
    for (kind, key) in kinds.into_iter().filter(|(kind, _)| !at_the_desk || *kind != "walkover") {
        for slot in Slot::BOTH {
            let (winner, loser) = (context.name(slot), context.name(slot.other()));
            let label = t.fill(key, &[("winner", &winner), ("loser", &loser)]);
            let ruled = rule().with("outcome[winner]", &slot).with("outcome[ending]", &kind);
            choices.push(Choice::new(ruled.choice(), label, false));
        }
    }
    if !at_the_desk {
        let [one, other] = &context.names();
        let nobody = t.fill("desk-nobody-came", &[("one", one), ("other", other)]);
        choices.push(Choice::new(rule().with("outcome[ending]", &"double_forfeit").choice(), nobody, false));
    }
    choices
}

impl SheetPage {
    /// The sheet as it stands, or with the form to correct the game `correct`.
    #[must_use]
    pub fn new(context: &MatchContext<'_>, frame: Frame, correct: Option<u32>) -> Self {
        let (t, view) = (context.t, View::from(context.sheet).shown_to(&context.screen.viewer));
        let over = view.status == Status::Over;
        let (undo, redo) = steps(context);
        let mut buttons = Buttons::new(context);
        let earlier = correct.and_then(|game| Scoring::earlier(context, game));
        let here = match &earlier {
            Some(scoring) => {
                let game = scoring.correct.as_ref().map_or(0, |(game, _)| *game);
                context.address(&format!("?correct={game}"))
            }
            None => context.address(""),
        };
        let nothing = t.get("scoring-not-said");
        let may_rule = context.screen.legal.iter().any(|legal| matches!(legal, Legal::RuleContest { .. }));
        let began = std::iter::once(Choice::new("", nothing, true))
            .chain(Slot::BOTH.map(|slot| Choice::new(words::slot_name(slot), context.name(slot), false)));
        Self {
            t: *t,
            frame,
            target: context.target(here.clone()),
            live: live(context, here),
            id: context.screen.id.to_string(),
            notice: None,
            facts: facts(context, &view),
            variant: view.terms.and_then(|terms| page_words::other_game(t, terms.game().variant)),
            around: around(t, &view),
            sides: Slot::BOTH.map(|slot| side(context, &view, slot)),
            said: standing_in_words(context, &view),
            owed: view.owed.map(|owed| words::pays(context, "scoring-owes", owed.by, owed.amount)),
            stated: view.stated.map(|stated| words::vouched(context, stated)).unwrap_or_default(),
            contests: buttons.about(None),
            others_rule: view.contested && !may_rule,
            viewer_rules: view.contested && may_rule,
            over,
            chance: view.chance.map(|chance| Chance::new(t, context.names(), chance)),
            board: board(context).filter(|_| earlier.is_none() && !over),
            starts: take(&mut buttons.starts),
            next_game: context.sheet.games_over().saturating_add(1),
            from_board: matches!(
                view.lines.last().map(|line| line.what),
                Some(LineKind::Won { plays: true, .. })
            ),
            scoring: earlier.or_else(|| Scoring::next(context)),
            began: began.collect(),
            acts: take(&mut buttons.acts),
            may_act: !context.screen.legal.is_empty() || undo.is_some() || redo.is_some(),
            undo,
            redo,
            lines: SheetLine::all(context, &view, &buttons),
            further: Further::new(context, buttons),
            statistics: StatisticsLine::all(context, &view),
            clock: view.clock.map(|_| context.address("/clock")),
            text: (!view.lines.is_empty()).then(|| format!("/api/v1/matches/{}/mat", context.screen.id)),
        }
    }
}

/// How this page is fetched again after a change. The stream never ends, since a sheet can be corrected even
/// after the match.
pub(super) fn live(context: &MatchContext<'_>, page: String) -> LivePart {
    let version = context.screen.stream.version;
    let stream = sheet_stream(context.screen.id, version);
    LivePart { page, version, stream: Some(stream), beside: None }
}

/// The stream of events on a sheet after this version.
#[must_use]
pub fn sheet_stream(id: MatchId, after: Version) -> String {
    format!("/api/v1/matches/{id}/events?after={after}")
}

fn facts(context: &MatchContext<'_>, view: &View) -> Vec<String> {
    let t = context.t;
    let mut facts = vec![words::terms(t, view.terms)];
    match view.terms {
        Some(Terms::Match { length, holland, crawford, rated, highest_cube, game, stake }) => {
            let dead = u32::from(length.points()).next_power_of_two();
            facts.extend(Playing { game, crawford, highest_cube }.facts(t, dead));
            facts.extend(holland.then(|| t.get("plays-holland")));
            facts.extend(rated.then(|| t.get("scoring-rated")));
            facts.extend(stake.map(|stake| t.with("scoring-played-for-stake", "stake", t.stake(stake))));
        }
        Some(Terms::Money { stake, cube, game }) => {
            facts.extend(Playing { game, crawford: true, highest_cube: cube.cap }.facts(t, 64));
            facts.push(match stake {
                Some(stake) => t.with("point-is", "stake", t.stake(stake)),
                None => t.get("no-money"),
            });
            if cube.jacoby {
                facts.push(t.get("scoring-jacoby"));
            }
        }
        None => {}
    }
    if let Some(opened) = &view.opened_at {
        facts.push(t.date(opened));
    }
    facts
}

/// The match in its tournament: address and name.
fn around(t: &Locale, view: &View) -> Option<(String, String)> {
    let of = view.of?;
    let link = format!("/tournaments/{}/{}/matches/{}", of.tournament, of.division, of.number.0);
    Some((link, t.with("match-number", "match", of.number.0)))
}

fn side(context: &MatchContext<'_>, view: &View, slot: Slot) -> SheetSide {
    let t = context.t;
    let of = |two: [u32; 2]| match slot {
        Slot::Upper => two[0],
        Slot::Lower => two[1],
    };
    let away = view.away.map(|[upper, lower]| of([upper.into(), lower.into()]));
    let player = view.players.map(|[upper, lower]| match slot {
        Slot::Upper => upper,
        Slot::Lower => lower,
    });
    let penalty = of(view.penalties);
    SheetSide {
        name: context.name(slot).to_owned(),
        link: player.map(|player| format!("/players/{player}")).unwrap_or_default(),
        score: of(view.score),
        away: away
            .filter(|_| view.outcome.is_none() && !context.sheet.score_is_open())
            .map(|away| t.with("scoring-away", "points", away)),
        penalty: (penalty > 0).then(|| t.with("scoring-of-penalty", "points", penalty)),
        won: view.outcome.map(|outcome| outcome.winner == Some(slot)),
    }
}

/// How the match stands, in a sentence.
pub(super) fn standing(context: &MatchContext<'_>) -> String {
    standing_in_words(context, &View::from(context.sheet))
}

fn standing_in_words(context: &MatchContext<'_>, view: &View) -> String {
    let t = context.t;
    if let Some(outcome) = view.outcome {
        return words::outcome(context, outcome);
    }
    if view.detached {
        return t.get("scoring-detached");
    }
    if let Some(claim) = context.sheet.claim() {
        return words::claimed(context, claim);
    }
    if context.sheet.score_is_open() {
        return t.get("scoring-awaits-correction");
    }
    let game = context.sheet.games_over().saturating_add(1);
    // M3 is about the cube, so the Crawford game is not mentioned without a cube, nor in a match of a single
    // game.
    let single = |terms: Terms| terms.length().is_some_and(|length| length.points() == 1);
    let about_cube = context.sheet.terms().is_some_and(|terms| !terms.without_cube() && !single(terms));
    match (view.status, view.phase.filter(|_| about_cube)) {
        (Status::Over, _) => t.get("scoring-closed"),
        (Status::Adjourned, _) => t.get("scoring-adjourned"),
        (_, Some(Phase::Crawford)) => t.with("scoring-now-crawford", "game", game),
        (_, Some(Phase::AfterCrawford)) => t.with("scoring-now-post", "game", game),
        _ if view.board.is_some() => t.with("scoring-on-board", "game", game),
        _ => t.with("scoring-now-game", "game", game),
    }
}

impl Chance {
    fn new(t: &Locale, [one, other]: [&str; 2], millionths: u32) -> Self {
        let part = (millionths.saturating_add(500) / 1000).min(1000);
        let point = t.get("scoring-decimal-point");
        let text =
            |part: u32| t.with("scoring-per-cent", "number", format!("{}{point}{}", part / 10, part % 10));
        let texts @ [first, second] = &[text(part), text(1000_u32.saturating_sub(part))];
        let said =
            t.fill("scoring-chance", &[("one", &one), ("part", first), ("other", &other), ("rest", second)]);
        Self { texts: texts.clone(), said, part }
    }
}
