//! The draw by hand: numbered slots, two to a match, and a name to write in each. A name counts, typed on any
//! keyboard. A part of one, or one that is nearly somebody's, is asked about: then the whole name stands in
//! its slot, to be sent again. A refused form is shown as it was typed, with what is wrong beside each slot.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use uuid::Uuid;

use super::about::form_request;
use super::frame::{DeskFrame, address, draw_below, on_the_desk};
use crate::form::Form;
use crate::pages::{ChipLink, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::text::sought;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::{NameIndex, NameMatch, Search, spelled};
use owlbox_books::club::players::PlayerName;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::{DirectorScreen, Order, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::command::DrawBy;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::DrawnSlot;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The most slots in a draw by hand. More are too much work.
const MOST_SLOTS: usize = 256;
/// The most players whose names a page of the draw needs: more than any division has entries.
const MOST_NAMED: usize = 2_400;

/// `/tournaments/{id}/desk/{division}/draw/by-hand`
#[derive(Debug)]
pub(super) struct DrawByHandPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub typed: &'a HandDraw,
    pub mistakes: &'a Mistakes,
    /// The names to place, in order of the alphabet.
    pub names: Vec<String>,
}
on_the_desk! { DrawByHandPage<'a>: "directing/draw_by_hand.html" }

/// What was typed: whom to draw, and the names by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct HandDraw {
    pub only_here: bool,
    pub reason: String,
    pub slots: Vec<String>,
}

/// What is wrong with the names that were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mistakes {
    /// By slot, counted from 0, in words.
    pub slots: BTreeMap<usize, String>,
    /// The names that may be meant, by slot.
    pub perhaps: BTreeMap<usize, String>,
    /// The names without a slot.
    pub missing: Vec<String>,
}

/// The address of the page, below that of the desk.
pub(super) fn below(division: DivisionNo) -> String {
    format!("{}/by-hand", draw_below(division))
}

/// Whether few enough are to be drawn.
pub(super) fn is_offered(state: &Tournament, division: DivisionNo) -> bool {
    (2..=MOST_SLOTS).contains(&state.to_draw(division, is_only_here(state, division)).len())
}

/// Whether the draw begins with only those who have checked in: some have, and not all.
pub(super) fn is_only_here(state: &Tournament, division: DivisionNo) -> bool {
    let [here, all] = [true, false].map(|only_here| state.to_draw(division, only_here).len());
    here >= 2 && here < all
}

/// The slots of a first round for so many entries.
fn slots_for(entries: usize) -> usize {
    entries.next_power_of_two().clamp(2, MOST_SLOTS)
}

/// The entries to place, with their names.
fn named(t: &TournamentSentences<'_>, division: DivisionNo, only_here: bool) -> Vec<(EntryNo, String)> {
    let Some(of) = t.state.division(division) else { return Vec::new() };
    let entries = t.state.to_draw(division, only_here);
    entries.into_iter().map(|entry| (entry, t.entry(of, &entry))).collect()
}

/// What one slot says.
enum Said {
    Slot(DrawnSlot),
    /// Perhaps this entry, of this name.
    Perhaps(EntryNo, String),
    Nobody,
    Several,
}

/// Whom the text in a slot names, of these entries and their `people`, who have the numbers of their places
/// as ids.
fn said(t: &Locale, named: &[(EntryNo, String)], people: &NameIndex, typed: &str) -> Said {
    let meant = people.meant(typed);
    let at = |player: PlayerId| usize::try_from(player.0.as_u128()).ok();
    if let NameMatch::Player(player) = meant
        && let Some((entry, _)) = at(player).and_then(|at| named.get(at))
    {
        return Said::Slot(DrawnSlot(Some(entry.0)));
    }
    let whole = spelled(typed);
    if typed.trim().is_empty() || whole == spelled(&t.get("slot-bye")) {
        return Said::Slot(DrawnSlot::BYE);
    }
    if whole == spelled(&t.get("desk-hand-open")) {
        return Said::Slot(DrawnSlot(None));
    }
    let part = Search::new(typed);
    let with_it = (0..).zip(named).filter(|(_, (_, name))| part.finds(name)).map(|(at, _)| at);
    let perhaps: BTreeSet<usize> = with_it.chain(meant.candidates().filter_map(at)).collect();
    match perhaps.first().and_then(|at| named.get(*at)) {
        None => Said::Nobody,
        Some((entry, name)) if perhaps.len() == 1 => Said::Perhaps(*entry, name.clone()),
        Some(_) => Said::Several,
    }
}

/// The slots that were typed.
///
/// # Errors
/// Everything that is wrong with them: a name that is nobody's, several players' or not quite somebody's,
/// somebody in two slots, a match of two empty slots, somebody without a slot.
pub(super) fn slots(
    t: &TournamentSentences<'_>,
    division: DivisionNo,
    typed: &HandDraw,
) -> Result<Vec<DrawnSlot>, Mistakes> {
    let named = named(t, division, typed.only_here);
    let mut people = NameIndex::default();
    for (at, (_, name)) in (0..).zip(&named) {
        people.add(PlayerId(Uuid::from_u128(at)), name, None);
    }
    let mut placed: BTreeMap<u32, usize> = BTreeMap::new();
    let mut mistakes = Mistakes::default();
    let mut slots = Vec::new();
    for (at, text) in typed.slots.iter().enumerate() {
        let slot = match said(t, &named, &people, text) {
            Said::Slot(slot) => slot,
            Said::Perhaps(entry, name) => {
                mistakes.slots.insert(at, t.with("error-near-name", "name", &name));
                mistakes.perhaps.insert(at, name);
                DrawnSlot(Some(entry.0))
            }
            Said::Nobody => {
                mistakes.slots.insert(at, t.get("desk-hand-nobody"));
                DrawnSlot(None)
            }
            Said::Several => {
                mistakes.slots.insert(at, t.get("desk-hand-several"));
                DrawnSlot(None)
            }
        };
        if let Some(entry) = slot.0.filter(|_| slot != DrawnSlot::BYE)
            && let Some(before) = placed.insert(entry, at)
        {
            mistakes.slots.insert(at, t.with("desk-hand-twice", "slot", before + 1));
        }
        slots.push(slot);
    }
    for (pair, sits) in slots.chunks(2).enumerate() {
        if sits.iter().all(|slot| *slot == DrawnSlot::BYE) {
            mistakes.slots.entry(2 * pair).or_insert_with(|| t.get("desk-hand-empty"));
        }
    }
    mistakes.missing =
        named.into_iter().filter(|(entry, _)| !placed.contains_key(&entry.0)).map(|(_, name)| name).collect();
    if mistakes == Mistakes::default() { Ok(slots) } else { Err(mistakes) }
}

/// Whom to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    /// Those who have checked in.
    Here,
    All,
}

#[derive(Debug, Deserialize)]
pub(crate) struct HandQuery {
    of: Option<Of>,
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<HandQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let screen = load(&visitor, id, division).await?;
    if !screen.state().division_acts(division).contains(&DivisionAct::Draw) {
        return Ok(redirect(&address(id, &draw_below(division))));
    }
    let only_here = query.of.map_or_else(|| is_only_here(screen.state(), division), |of| of == Of::Here);
    let typed = HandDraw { only_here, ..HandDraw::default() };
    answer(&visitor, &screen, division, &typed, &Mistakes::default())
}

/// The tournament, with the names of everybody in a division.
pub(super) async fn load(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
) -> Result<DirectorScreen, Problem> {
    let screen = super::screen(visitor, id, CommandKind::Draw, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        looking.name(of.entries().map(|(_, entry)| entry.player).take(MOST_NAMED));
        Ok(())
    });
    Ok(screen.await?.0)
}

fn answer(
    visitor: &Visitor,
    screen: &DirectorScreen,
    division: DivisionNo,
    typed: &HandDraw,
    mistakes: &Mistakes,
) -> Result<HttpResponse, Problem> {
    let (t, frame, desk) = super::surroundings(visitor, screen, "desk-draw-by-hand", &below(division));
    match DrawByHandPage::new(t, frame, screen, desk, division, (typed, mistakes)) {
        Some(page) => visitor.answer(page.whole()),
        None => Ok(redirect(&address(screen.id, &draw_below(division)))),
    }
}

/// The texts of the slots, with the names that the page shows in place of what the club calls its people,
/// nicknames too.
async fn as_shown(
    visitor: &Visitor,
    screen: &DirectorScreen,
    division: DivisionNo,
    mut slots: Vec<String>,
) -> Result<Vec<String>, Problem> {
    let of = screen.division(division)?;
    let shown: BTreeSet<String> = screen.names.values().map(|name| spelled(name)).collect();
    let others = slots.iter_mut().filter(|typed| !shown.contains(&spelled(typed)));
    let (others, names): (Vec<&mut String>, Vec<PlayerName>) =
        others.filter_map(|typed| typed.parse().ok().map(|name| (typed, name))).unzip();
    for (typed, meant) in others.into_iter().zip(visitor.service.desk.players_meant(names).await?) {
        if let NameMatch::Player(player) = meant.meant
            && of.entry_of(player).is_some()
            && let Some(name) = screen.names.get(&player)
        {
            typed.clone_from(name);
        }
    }
    Ok(slots)
}

pub(crate) async fn draw_hand(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    visitor.actor()?;
    let screen = load(&visitor, id, division).await?;
    let slots_typed = form.all("slot").take(MOST_SLOTS).map(|typed| typed.trim().to_owned()).collect();
    let typed = HandDraw {
        only_here: form.word("of")? == Some(Of::Here),
        reason: form.text("reason").to_owned(),
        slots: as_shown(&visitor, &screen, division, slots_typed).await?,
    };
    let t = TournamentSentences::new(visitor.say(&screen.names), screen.state());
    let slots = match slots(&t, division, &typed) {
        Ok(slots) => slots,
        Err(mistakes) => {
            let problem = Problem::new(Code::BadDraw, "not every slot names one entry").about("slots");
            let visitor = visitor.refused(request.path(), &form, &problem);
            return answer(&visitor, &screen, division, &typed, &mistakes);
        }
    };
    let command = Command::Draw {
        division,
        method: DrawBy::Hand { slots },
        only_checked_in: typed.only_here,
        reason: form.word("reason")?,
        groups: Vec::new(),
    };
    let given = form_request(&visitor, &form, request.path())?;
    match visitor.service.desk.command::<Tournament>(given, id, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&address(id, &draw_below(division)))),
        Err(refused) => {
            let problem = Problem::from(refused);
            if problem.is_for_no_page() {
                return Err(problem);
            }
            // Somebody may have entered or drawn in the meantime.
            let screen = load(&visitor, id, division).await?;
            let visitor = visitor.refused(request.path(), &form, &problem);
            answer(&visitor, &screen, division, &typed, &Mistakes::default())
        }
    }
}

impl<'a> DrawByHandPage<'a> {
    /// The page with what was typed so far, and what is wrong with it. `None` if nothing can be drawn by
    /// hand.
    pub fn new(
        t: TournamentSentences<'a>,
        frame: Frame,
        screen: &'a TournamentScreen,
        desk: DeskFrame<'a>,
        division: DivisionNo,
        (typed, mistakes): (&'a HandDraw, &'a Mistakes),
    ) -> Option<Self> {
        let of = screen.state().division(division)?;
        let named = named(&t, division, typed.only_here);
        let mut names: Vec<String> = named.into_iter().map(|(_, name)| name).collect();
        names.sort_by_cached_key(|name| sought(name));
        let is_offered = (2..=MOST_SLOTS).contains(&names.len());
        // A live update would disturb the one who types.
        let desk = desk.of_form();
        is_offered.then_some(Self { t, frame, screen, desk, division, of, typed, mistakes, names })
    }

    /// How many slots have something typed in them or before them.
    fn written(&self) -> usize {
        self.typed.slots.iter().rposition(|typed| !typed.is_empty()).map_or(0, |last| last + 1)
    }

    /// The matches of the first round.
    fn matches(&self) -> usize {
        slots_for(self.names.len().max(self.written())) / 2
    }

    /// The two slots of a match, both counted from 0.
    fn slots(&self, of: &usize) -> Range<usize> {
        2 * of..2 * of + 2
    }

    /// What stands in a slot, counted from 0.
    fn text(&self, at: &usize) -> &str {
        let text = self.mistakes.perhaps.get(at).or(self.typed.slots.get(*at));
        text.map_or("", String::as_str)
    }

    /// Who has no slot, if somebody has been placed.
    fn missing(&self) -> Option<String> {
        let missing = &self.mistakes.missing;
        let any = self.written() > 0 && !missing.is_empty();
        any.then(|| self.t.with("desk-hand-missing", "names", self.t.list(missing)))
    }

    /// Draws all, or only those who have checked in, and how many these are. Empty if there is no difference.
    fn scopes(&self) -> Vec<ChipLink> {
        let only_here = self.typed.only_here;
        if !only_here && !is_only_here(self.screen.state(), self.division) {
            return Vec::new();
        }
        let scope = |(key, value, here): (&str, &str, bool)| {
            let count = self.screen.state().to_draw(self.division, here).len();
            let to = format!("{}?of={value}", self.desk.here());
            ChipLink::new(self.t.count(key, &count), to, here == only_here)
        };
        [("desk-only-here", "here", true), ("desk-hand-all", "all", false)].map(scope).into()
    }
}
