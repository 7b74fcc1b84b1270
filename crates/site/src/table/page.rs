//! How a table is drawn: its state, and what may be done now.

use super::board::board;
use super::buttons::{Buttons, Near};
use super::log::History;
use super::now::{Now, Question};
use crate::board::{Board, BoardView, SELDOM_BEYOND};
use crate::pages::button::{Button, Target};
use crate::pages::live::live_page;
use crate::pages::{Choice, Fields, Frame};
use crate::playing::variant;
use crate::refused::Filled;
use crate::say::Say;
use crate::sentences::house_rules;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::rules::catalogue::{self, HouseRuleSetting};
use owlbox_chouette::{Bet, BetStanding, Chouette, Command, CommandKind, Legal, Phase, Roll, Score, View};
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_engine::{CubeValue, Variant};
use owlbox_locale::Amount;

/// The setting that decides whether the box stays.
const BOX_RETENTION: &str = "box_retention";
/// How many acts stand side by side in the bar at the bottom. With undo and the end of the game below them
/// the bar has two rows, and never hides the table.
const IN_THE_BAR: usize = 2;
/// So many players who may join have a button each.
const AT_A_GLANCE: usize = 24;

/// `/chouettes/{id}`
pub(super) struct TablePage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TableScreen,
    /// The table as the viewer may see it.
    pub view: View,
    pub history: History<'a>,
    pub buttons: Buttons<'a>,
    /// The board of a refereed game.
    pub board: Option<Board>,
    /// The possible loss in a game from which a player is warned, if the club has set one.
    pub exposure_limit: Option<HalfPoints>,
    /// The name of the house rules in force, and the address of their page, if they are a set of the club's.
    pub rule_set: Option<(String, String)>,
}

live_page!(TablePage<'a>, "table_live.html" in "table.html");

impl<'a> TablePage<'a> {
    /// The page with its board as `shown`.
    pub fn new(t: Say<'a>, frame: Frame, screen: &'a TableScreen, shown: BoardView) -> Self {
        let (history, buttons) = (History::new(t, screen), Buttons::new(t, screen));
        let board = board(&t, screen, &history, shown);
        Self {
            t,
            frame,
            screen,
            view: screen.view(),
            history,
            buttons,
            board,
            exposure_limit: None,
            rule_set: None,
        }
    }

    pub fn state(&self) -> &'a Chouette {
        &self.screen.stream.state
    }

    fn target(&self) -> Target {
        Target::at_table(self.screen.id, self.screen.stream.version)
    }

    /// Whether the table still takes acts.
    pub fn is_open(&self) -> bool {
        self.view.phase != Phase::Closed
    }

    /// Whether players still come in before the order is rolled.
    fn is_gathering(&self) -> bool {
        matches!(self.view.phase, Phase::Unopened | Phase::Gathering | Phase::Ordering)
    }

    pub fn now(&self) -> Now<'a> {
        Now { say: self.t, state: self.state() }
    }

    pub fn question(&self) -> Option<Question> {
        self.now().question(self.screen.viewer.player, &self.screen.legal)
    }
}

/// Facts.
impl TablePage<'_> {
    fn games_finished(&self) -> String {
        self.t.count("games-count", &usize::try_from(self.view.games).unwrap_or(usize::MAX))
    }

    /// The house rules in one line: how the box changes, and every difference from the common rules that
    /// matters.
    fn rules(&self) -> String {
        let rules = self.state().rules();
        let differences = catalogue::differences_in_force(rules).into_iter();
        let others = differences.filter(|setting| setting.key != BOX_RETENTION);
        let settings = catalogue::setting(BOX_RETENTION).into_iter().chain(others);
        let sentence = |setting: &HouseRuleSetting| {
            house_rules::sentence(&self.t, setting, &catalogue::value(rules, setting.key))
        };
        settings.map(sentence).collect::<Vec<_>>().join(" · ")
    }

    /// Other facts about this game that concern everybody: closed doubles, automatic doubles.
    pub fn facts(&self) -> Vec<String> {
        let t = &self.t;
        let Some(game) = &self.view.game else {
            let carried = usize::from(self.view.carried);
            return (carried > 0).then(|| t.count("fact-carried", &carried)).into_iter().collect();
        };
        let automatics = usize::from(game.automatics);
        let facts = [
            (game.variant != Variant::Standard).then(|| variant(t, game.variant)),
            // Without a board the next double says by itself that the dice were rolled.
            (game.late && game.board.is_some()).then(|| t.get("fact-late")),
            (automatics > 0).then(|| t.count("fact-automatics", &automatics)),
            self.turns_beyond().then(|| t.get("cube-seldom")),
        ];
        facts.into_iter().flatten().collect()
    }

    /// Whether a cube is being turned beyond the usual, or the viewer may turn one so far (C10).
    fn turns_beyond(&self) -> bool {
        let Some(game) = self.state().game() else { return false };
        let beyond = |cube: Option<CubeValue>| cube.is_some_and(|cube| cube.get() > SELDOM_BEYOND);
        let offered = game.running().any(|bet| match bet.standing {
            BetStanding::Offered(raise) => beyond(Some(raise.to())),
            BetStanding::Open | BetStanding::Settled(_) => false,
        });
        let may = |legal: &Legal| {
            let Legal::Double { player, against, .. } = legal else { return false };
            let with = |bet: &Bet| against.iter().any(|opponent| bet.side_of(*opponent).is_some());
            game.running_of(*player).any(|bet| beyond(bet.cube.value.doubled()) && with(bet))
        };
        offered || self.screen.legal.iter().any(may)
    }

    /// The night's scores, best first. None if the viewer may not see them, or before the first game.
    fn standings(&self) -> &[Score] {
        if self.is_gathering() { &[] } else { &self.view.standings }
    }

    /// Whether a player has left while the night goes on.
    fn has_left(&self, player: &PlayerId) -> bool {
        self.is_open() && self.view.away.contains(player)
    }

    /// Points in this table's money. `None` if no money is played for.
    fn money(&self, points: &HalfPoints) -> Option<Amount> {
        let stake = self.view.stake?;
        Some(self.t.money(&stake.currency, &stake.worth(*points)?.0))
    }

    fn may_settle_up(&self) -> bool {
        self.screen.viewer.sees_payments && self.view.game.is_none() && self.view.games > 0
    }
}

/// What may be done.
impl<'a> TablePage<'a> {
    /// Everything that may be done now, likeliest first: rolls for the order, acts, answers of everybody,
    /// links to sheets that are due.
    fn near(&self) -> impl Iterator<Item = Near<'_>> {
        let Buttons { draw, acts, everybody, links, .. } = &self.buttons;
        let buttons = draw.iter().chain(acts.iter().filter(|act| !act.far_reaching())).chain(everybody);
        buttons.map(Near::Button).chain(links.iter().map(Near::Link))
    }

    /// The acts in the bar at the bottom: no more than fit into one row.
    pub fn likeliest(&self) -> Vec<Near<'_>> {
        self.near().take(IN_THE_BAR).collect()
    }

    /// The remaining acts. They stand under the board.
    pub fn further(&self) -> Vec<Near<'_>> {
        self.near().skip(IN_THE_BAR).collect()
    }

    /// Whether there is anything in the bar at the bottom.
    fn has_bar(&self) -> bool {
        let steps = [self.screen.undo, self.screen.redo];
        let on_board = self.board.as_ref().is_some_and(Board::has_acts);
        on_board || self.may_finish() || steps.iter().any(Option::is_some) || self.near().next().is_some()
    }

    /// Whether a result can be entered now.
    pub fn may_finish(&self) -> bool {
        self.screen.legal.iter().any(|legal| matches!(legal, Legal::Finish { .. }))
    }

    /// The club's players who are not at this table. `None` if nobody may join.
    pub fn joining(&self) -> Option<Vec<Choice>> {
        self.screen.legal.contains(&Legal::Join {}).then_some(())?;
        let (present, away) = (&self.view.present, &self.view.away);
        let club = self.screen.free_players.iter().filter(|player| !away.contains(&player.id));
        let choices = club.map(|player| Choice::player(player, present.contains(&player.id)));
        // While the table gathers, names stay where they are: a player who taps one after the other meets no
        // other name than they aimed at.
        let gathering = self.view.phase == Phase::Gathering;
        Some(choices.filter(|choice| gathering || !choice.chosen).collect())
    }

    /// The players who may join, placed first while the table gathers.
    fn joining_first(&self) -> Option<Vec<Choice>> {
        if self.is_gathering() { self.joining() } else { None }
    }

    /// The players who may join, placed beside the game once the order is known.
    fn joining_late(&self) -> Option<Vec<Choice>> {
        if self.is_gathering() { None } else { self.joining() }
    }

    fn at_a_glance(&self, players: &[Choice]) -> bool {
        players.len() <= AT_A_GLANCE
    }

    fn may_add_guests(&self) -> bool {
        self.t.may(Permission::AddGuests)
    }

    /// The command that seats a player whom the form gives: `player`, or `guest` for a name.
    fn lacking_player(&self) -> Fields {
        Fields::lacking(CommandKind::Join)
    }

    /// Doubles those whom the form chooses.
    pub fn doubles_some(&self, player: &PlayerId) -> Button {
        // An empty list doubles nobody until somebody is chosen. Without a list it would mean everybody.
        let command = Command::Double { player: *player, against: Some(Vec::new()), rolled: false };
        Button::new(self.t.get("box-doubles-these"), &command)
    }

    /// Whether that form chooses all of them unless it is changed.
    fn doubles_all(&self) -> bool {
        self.buttons.doubling_all
    }

    /// An opponent, and the value to which the player would double them.
    fn doubled_to(&self, player: &PlayerId, opponent: &PlayerId) -> String {
        let (to, _) = self.state().cube_doubled(*player, *opponent);
        format!("{} → {to}", self.t.name(opponent))
    }
}

/// The rolls for the order (Q1).
impl<'a> TablePage<'a> {
    /// Whether rolls are due. Viewers who may not enter them see them too, once some have tied.
    pub fn is_rolling(&self) -> bool {
        let may_roll = self.buttons.draw.is_some() || self.buttons.enter.is_some();
        self.is_open() && !self.view.to_roll.is_empty() && (may_roll || self.rolls_again())
    }

    /// Whether some tied and roll again.
    fn rolls_again(&self) -> bool {
        self.view.phase == Phase::Ordering
    }

    /// The rolls of those who need not roll again.
    fn rolled(&self) -> Vec<&'a Roll> {
        let rolls = self.history.last_rolls().iter().filter(|_| self.rolls_again());
        rolls.filter(|roll| !self.view.to_roll.contains(&roll.player)).collect()
    }

    /// The form for the dice of all who roll now; if one that was refused is about others, it is not that.
    fn form_of_rolls(&self, button: &Button) -> Filled<'_> {
        let form =
            self.frame.form_of(button, &self.target().act).lacking(&roller_field(self.view.to_roll.len()));
        let rollers = self.view.to_roll.iter().enumerate();
        rollers.fold(form, |form, (place, player)| form.sending(&roller_field(place), player))
    }

    /// The field of a die of the one who rolls at this place, counted from 0; the number of the die counts
    /// from 1.
    fn die_field(&self, place: &usize, number: &usize) -> String {
        format!("rolls[{place}][dice][{}]:number", number - 1)
    }

    /// The numbers of a player's dice, from 1.
    fn dice(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.view.rules.order.dice.dice()
    }
}

/// The field for the player who rolls at this place, counted from 0.
fn roller_field(place: usize) -> String {
    format!("rolls[{place}][player]")
}
