//! Decides every act of a stream again, from the state before it, and checks that its author could do it.
//!
//! Who could do what is in the club's own stream: the accounts at each moment, their players and roles. The
//! clocks of several instances differ a little, so permissions shortly before or after the act count too. An
//! act on several streams was asked for in one of them: permission there covers its consequences elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Difference, Unverified, Wrong, equal, stream_name};
use crate::commands::history::{HistoryCommand, Order};
use crate::{Actor, Principal};
use owlbox_base::journal::again::{Accountable, CommandFound, History, decided_again};
use owlbox_base::journal::{Act, ActKind, Aggregate, Steps, Stream};
use owlbox_base::values::{AccountId, ActId, PlayerId, Timestamp, TournamentId};
use owlbox_books::club::players::PlayerName;
use owlbox_books::club::state::AccountEntry;
use owlbox_books::club::{Club, Event as ClubEvent, Settings};
use owlbox_play::tournament::{Event as TournamentEvent, Tournament};
use owlbox_store::journal::{self, Entry};
use owlbox_store::{AnyConnection, StoreError};

/// How far the clocks of instances may differ: permissions within this time of an act count.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(10);
/// How long an act may seem to come after its id was made.
const IDS_DIFFER: TimeDelta = TimeDelta::seconds(5);
/// The same for the first and last act of a stream, which have a single neighbour to confirm that the clock
/// was right.
const IDS_DIFFER_AT_THE_ENDS: TimeDelta = TimeDelta::hours(1);

/// About when an act was done.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) at: Timestamp,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
}

impl About {
    /// Between its own time and that in its id, which is another one while a clock that was set back has not
    /// caught up; and as much earlier or later as clocks may differ.
    fn act<E>(act: &Act<E>) -> Self {
        let made = made_at(act.id).unwrap_or(act.at.utc());
        let (first, last) = (made.min(act.at.utc()), made.max(act.at.utc()));
        Self { at: act.at, from: first - CLOCKS_DIFFER, until: last + CLOCKS_DIFFER }
    }

    /// Those of these states that counted then, of which each did from a moment on.
    fn states<T>(self, states: &[(Timestamp, T)]) -> impl Iterator<Item = &T> {
        let first = states.iter().rposition(|(since, _)| since.utc() <= self.from).unwrap_or_default();
        let about_then = states.iter().skip(first).enumerate();
        let about_then =
            about_then.take_while(move |(place, (since, _))| *place == 0 || since.utc() <= self.until);
        about_then.map(|(_, (_, state))| state)
    }
}

/// Who could do what, and when.
#[derive(Default)]
pub(super) struct Standings {
    /// The history of every account: its state from each moment on, in order.
    accounts: BTreeMap<AccountId, Vec<(Timestamp, AccountEntry)>>,
    players: BTreeSet<PlayerId>,
    /// The settings the club has had, each from a moment on, in order.
    settings: Vec<(Timestamp, Settings)>,
    /// The accounts ever named as directors of a tournament.
    directors: BTreeMap<TournamentId, BTreeSet<AccountId>>,
    /// What erased persons are called.
    pseudonyms: Vec<PlayerName>,
}

impl Standings {
    /// Reads the history of all accounts from the journal.
    pub(super) fn read(connection: &mut AnyConnection) -> Result<Self, Unverified> {
        let mut standings = Self::default();
        let entries = journal::entries_after(connection, crate::club::stream::CLUB, 0, None)?;
        let broken = |error: owlbox_base::journal::BrokenHistory| StoreError::from(error);
        let mut club = Club::initial();
        for (entry, since) in entries.iter().zip(since(&entries)) {
            let event = Club::decode(entry.format, &entry.payload).map_err(broken)?;
            club.apply(&event, entry.at);
            standings.note(&club, &event, since);
        }
        for (stream, entry) in journal::entries_of_kind(connection, "directors_changed")? {
            let event = Tournament::decode(entry.format, &entry.payload).map_err(broken)?;
            if let TournamentEvent::DirectorsChanged { directors } = event {
                standings.directors.entry(TournamentId(stream)).or_default().extend(directors);
            }
        }
        Ok(standings)
    }

    fn note(&mut self, club: &Club, event: &ClubEvent, at: Timestamp) {
        match event {
            ClubEvent::PlayerAdded { player, .. } => {
                self.players.insert(*player);
            }
            ClubEvent::AccountCreated { account, .. }
            | ClubEvent::AccountRolesChanged { account, .. }
            | ClubEvent::AccountPlayerLinked { account, .. }
            | ClubEvent::AccountDeactivated { account }
            | ClubEvent::AccountReactivated { account } => {
                let stood = club.account(*account).map(|entry| (at, entry));
                self.accounts.entry(*account).or_default().extend(stood);
            }
            ClubEvent::PlayerErased { player } => {
                self.pseudonyms.push(PlayerName::pseudonym(*player));
                if let Some(account) = club.player(*player).and_then(|entry| entry.account) {
                    let stood = club.account(account).map(|entry| (at, entry));
                    self.accounts.entry(account).or_default().extend(stood);
                }
            }
            ClubEvent::Opened { settings } | ClubEvent::SettingsChanged { settings } => {
                self.settings.push((at, settings.clone()));
            }
            ClubEvent::PlayerDetailsChanged { .. }
            | ClubEvent::GuestBecameMember { .. }
            | ClubEvent::PlayerDeactivated { .. }
            | ClubEvent::PlayerReactivated { .. }
            | ClubEvent::PlayerRemoved { .. }
            | ClubEvent::HouseRulesSaved { .. }
            | ClubEvent::HouseRulesRemoved { .. } => {}
        }
    }

    /// The settings the club has had, in order.
    pub(super) fn settings(&self) -> Vec<Settings> {
        self.settings.iter().map(|(_, settings)| settings.clone()).collect()
    }

    /// Whether the club had settings at about this time of which this is true.
    pub(super) fn had_settings(&self, about: About, is_so: impl Fn(&Settings) -> bool) -> bool {
        self.settings.is_empty() && is_so(&Settings::default()) || about.states(&self.settings).any(is_so)
    }

    /// Whether the account ever existed. Includes the players, who can report with the link to their entry.
    fn knows(&self, account: AccountId) -> bool {
        account == Actor::CONSOLE.account
            || self.accounts.contains_key(&account)
            || self.players.contains(&PlayerId(account.0))
    }

    /// The principals an account could act as at about this time.
    fn authorities(&self, account: AccountId, about: About) -> Vec<Principal> {
        if account == Actor::CONSOLE.account {
            return vec![Principal::CONSOLE];
        }
        let stood = self.accounts.get(&account).map_or(&[][..], Vec::as_slice);
        let active = about.states(stood).filter(|entry| entry.active);
        active.map(|entry| Principal::of_login(account, entry.player, entry.roles)).collect()
    }

    /// The player an account id stands for: acts by the link to an entry have the player's id as their
    /// account.
    pub(super) fn player_of(&self, account: AccountId) -> Option<PlayerId> {
        Some(PlayerId(account.0)).filter(|player| self.players.contains(player))
    }

    /// Whether an entry may say something else than when it was recorded, because somebody was erased. What
    /// could be asked for with other words cannot always be asked for with these: a name may be too long now,
    /// or one that is changed to itself.
    fn was_rewritten(&self, entry: &Entry) -> bool {
        self.pseudonyms.iter().any(|pseudonym| entry.payload.contains(pseudonym.as_str()))
    }

    /// Whether an account ever directed this tournament.
    pub(super) fn has_directed(&self, tournament: TournamentId, account: AccountId) -> bool {
        self.directors.get(&tournament).is_some_and(|directors| directors.contains(&account))
    }

    /// Whether an account ever directed any tournament.
    pub(super) fn has_directed_any(&self, account: AccountId) -> bool {
        self.directors.values().any(|directors| directors.contains(&account))
    }
}

/// From when on each of the club's entries counted. One that is at an earlier time than those before it shows
/// that the clock was set back: what they did was so by then.
fn since(entries: &[Entry]) -> Vec<Timestamp> {
    let mut since: Vec<Timestamp> = entries.iter().map(|entry| entry.at).collect();
    for place in (1..since.len()).rev() {
        if let [before, after] = &mut since[place - 1..=place] {
            *before = *(&*before).min(&*after);
        }
    }
    since
}

/// An aggregate whose acts can be checked for permission.
pub(super) trait Answerable: Accountable<Command: Clone> {
    /// Whether the principal could give this order at that time. Nobody may order what one stream does
    /// because of another.
    fn may(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Self::Command>,
        about: About,
    ) -> bool;

    /// The same for an act of this format: older formats had other rules.
    fn may_in_format(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Self::Command>,
        about: About,
        _format: i16,
    ) -> bool {
        Self::may(standings, principal, before, order, about)
    }

    /// Whether an act of this format is decided again. Not if the rules of its time allowed what they do not
    /// allow now.
    fn decides(_before: &Stream<Self>, _act: &Act<Self::Event>, format: i16) -> bool {
        format >= Self::DECIDES_SINCE
    }

    /// The principal of somebody without a login who acts by a link.
    fn by_link(_: &Standings, _: AccountId, _: &Stream<Self>) -> Option<Principal> {
        None
    }

    /// The other stream that an event names as part of the same act.
    fn other(event: &Self::Event) -> Option<Uuid>;
}

/// The other streams named by acts, by the stream of the act: the act, its version there, and the stream
/// named.
#[derive(Default)]
pub(super) struct Others(BTreeMap<Uuid, Vec<(ActId, i64, Uuid)>>);

impl Others {
    fn note<A: Answerable>(&mut self, id: Uuid, act: &Act<A::Event>) {
        let ActKind::Events(events) = &act.kind else { return };
        let named: Vec<_> =
            events.iter().filter_map(A::other).map(|other| (act.id, act.version, other)).collect();
        if !named.is_empty() {
            self.0.entry(id).or_default().extend(named);
        }
    }

    /// Refuses unless each of these acts has a part in the stream it names.
    pub(super) fn settle(self, connection: &mut AnyConnection) -> Result<(), Unverified> {
        for (stream, named) in self.0 {
            let acts: Vec<ActId> = named.iter().map(|(act, ..)| *act).collect();
            let shared = journal::acts_in_other_streams(connection, stream, &acts)?;
            let alone = |(act, _, other): &&(ActId, i64, Uuid)| {
                !shared.get(other).is_some_and(|acts| acts.contains(act))
            };
            if let Some((_, version, other)) = named.iter().find(alone) {
                return Err(
                    broken(stream, *version, format!("nothing of it happened in stream {other}")).into()
                );
            }
        }
        Ok(())
    }
}

/// Acts that nobody could do in the stream they are in. They may have been permitted in another one.
#[derive(Default)]
pub(super) struct NotAllowed(BTreeMap<ActId, Vec<(Uuid, i64, AccountId)>>);

impl NotAllowed {
    /// Refuses unless each of these acts was permitted in another stream.
    pub(super) fn settle(self, connection: &mut AnyConnection) -> Result<(), Unverified> {
        for (act, places) in self.0 {
            let Some((stream, version, by)) = places.first().copied() else { continue };
            let others = journal::acts_in_other_streams(connection, stream, &[act])?;
            let refused = |other: &Uuid| places.iter().any(|(place, ..)| place == other);
            if others.keys().all(refused) {
                let why = format!("account {by} could not do this then");
                return Err(broken(stream, version, why).into());
            }
        }
        Ok(())
    }
}

fn broken(stream: Uuid, version: i64, why: String) -> Difference {
    let row = format!("{}, version {version}", stream_name(stream));
    Difference { table: "journal", row, wrong: Wrong::Broken(why) }
}

/// Checks the acts of a stream against its journal `entries`. Returns the stream, and the number of acts
/// decided again.
pub(super) fn verify<A: Answerable>(
    id: Uuid,
    entries: &[Entry],
    acts: &[Act<A::Event>],
    standings: &Standings,
    not_allowed: &mut NotAllowed,
    others: &mut Others,
) -> Result<(Stream<A>, usize), Difference> {
    let in_whole = |error: owlbox_base::journal::BrokenHistory| {
        let wrong = Wrong::Broken(error.to_string());
        Difference { table: "journal", row: stream_name(id), wrong }
    };
    written_so::<A>(id, entries, acts)?;
    at_their_times(id, acts)?;
    let mut history = History::<A>::new(acts);
    let (mut format, mut decided) = (i16::MIN, 0);
    for of_act in entries.chunk_by(|one, next| one.act == next.act) {
        let Some(act) = history.next_act() else { break };
        let follows = act.version == history.stream().version + act.kind.versions();
        for entry in of_act {
            let same =
                entry.version == of_act.first().map_or(0, |first| first.version) || entry.format == format;
            if entry.format < format || !same {
                let why = format!("format {} after {format}", entry.format);
                return Err(broken(id, entry.version, why));
            }
            format = entry.format;
        }
        others.note::<A>(id, act);
        if !standings.knows(act.by) {
            return Err(broken(id, act.version, format!("account {} is none of the club's", act.by)));
        }
        let rewritten = of_act.iter().any(|entry| standings.was_rewritten(entry));
        if follows && !rewritten && A::decides(history.stream(), act, format) {
            match found(standings, history.stream(), act, format) {
                CommandFound::Nothing => {
                    let why = "nothing that could be asked for then comes to this".to_owned();
                    return Err(broken(id, act.version, why));
                }
                CommandFound::NotAllowed => {
                    not_allowed.0.entry(act.id).or_default().push((id, act.version, act.by));
                }
                CommandFound::InOrder => {}
            }
            decided += 1;
        }
        history.walk().map_err(in_whole)?;
    }
    Ok((history.into_stream(), decided))
}

/// Whether an act results from a command possible at the time, given by somebody who could give it.
fn found<A: Answerable>(
    standings: &Standings,
    before: &Stream<A>,
    act: &Act<A::Event>,
    format: i16,
) -> CommandFound {
    let about = About::act(act);
    let mut authorities = standings.authorities(act.by, about);
    authorities.extend(A::by_link(standings, act.by, before));
    let may = |order: Order<A::Command>| {
        let may = |principal| A::may_in_format(standings, principal, before, &order, about, format);
        authorities.iter().any(may)
    };
    // Undoing more acts than anybody can ask for happens only as part of an act in another stream.
    let steps = |acts: &[ActId]| u16::try_from(acts.len()).ok().and_then(|acts| Steps::try_from(acts).ok());
    let asked = match &act.kind {
        ActKind::Events(events) => {
            let may = |command: &A::Command| may(Order::Command(command.clone()));
            return decided_again(&before.state, events, act.at, &may);
        }
        ActKind::Undo(acts) => steps(acts).map(|acts| HistoryCommand::Undo { act: None, acts }),
        ActKind::Redo(acts) => steps(acts).map(|acts| HistoryCommand::Redo { act: None, acts }),
    };
    if asked.is_some_and(|asked| may(Order::History(asked))) {
        CommandFound::InOrder
    } else {
        CommandFound::NotAllowed
    }
}

/// Checks that every entry contains exactly what was read from it.
fn written_so<A: Aggregate>(id: Uuid, entries: &[Entry], acts: &[Act<A::Event>]) -> Result<(), Difference> {
    let mut found = entries.iter();
    for act in acts {
        let written =
            journal::entries::<A>(act).map_err(|error| broken(id, act.version, error.to_string()))?;
        for (written, entry) in written.iter().zip(found.by_ref()) {
            let row = || format!("{}, version {}", stream_name(id), entry.version);
            equal("journal", row, "kind", &written.kind, &entry.kind)?;
            let as_written = entry.format != A::FORMAT || says(&entry.payload, &written.payload);
            if !as_written {
                return Err(broken(id, entry.version, "the payload says more than is read of it".to_owned()));
            }
        }
    }
    Ok(())
}

/// Whether `again` contains everything in `payload`. Fields added to the format since may be missing there.
fn says(payload: &str, again: &str) -> bool {
    fn within(said: &serde_json::Value, again: &serde_json::Value) -> bool {
        use serde_json::Value::{Array, Object};
        match (said, again) {
            (Object(said), Object(again)) => said
                .iter()
                .all(|(key, said)| again.get(key).map_or(said.is_null(), |again| within(said, again))),
            (Array(said), Array(again)) => {
                said.len() == again.len() && said.iter().zip(again).all(|(said, again)| within(said, again))
            }
            (said, again) => said == again,
        }
    }
    let read = serde_json::from_str;
    payload == again || matches!((read(payload), read(again)), (Ok(said), Ok(again)) if within(&said, &again))
}

/// Checks that no act comes after its id was made, if its neighbours agree with theirs. Where another clock
/// supplied the times, none does. An id may be later than its act by any time: ids of one process never go
/// back, and wait where a clock that was set back has not caught up.
fn at_their_times<E>(id: Uuid, acts: &[Act<E>]) -> Result<(), Difference> {
    let after: Vec<Option<TimeDelta>> = acts.iter().map(after_its_id).collect();
    let near =
        |after: Option<&Option<TimeDelta>>| after.map(|after| after.is_some_and(|by| by.abs() <= IDS_DIFFER));
    for (place, act) in acts.iter().enumerate() {
        let before = near(place.checked_sub(1).and_then(|place| after.get(place)));
        let allowed = match (before, near(after.get(place + 1))) {
            (Some(true), Some(true)) => IDS_DIFFER,
            (Some(true), None) | (None, Some(true)) => IDS_DIFFER_AT_THE_ENDS,
            _ => continue,
        };
        if after.get(place).copied().flatten().is_some_and(|after| after > allowed) {
            let row = || format!("{}, version {}", stream_name(id), act.version);
            let made = made_at(act.id).map_or_else(String::new, |made| made.to_rfc3339());
            equal("journal", row, "at", &made, &act.at.utc().to_rfc3339())?;
        }
    }
    Ok(())
}

/// How long after its id was made an act comes; `None` if the id has no time.
fn after_its_id<E>(act: &Act<E>) -> Option<TimeDelta> {
    made_at(act.id).map(|made| act.at.utc() - made)
}

fn made_at(id: ActId) -> Option<DateTime<Utc>> {
    let (seconds, nanoseconds) = id.0.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanoseconds)
}
