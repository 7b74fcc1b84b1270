//! Typed names at the desk: who is meant by one ([`owlbox_books::club::meant`]), and that from now on no two
//! people are called the same. Clubs from before may have such: they open, and such a name is ambiguous.

use std::sync::Arc;

use serde::Serialize;

use super::name_taken;
use crate::{Allowed, Desk, Refused, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::Stream;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::Club;
use owlbox_books::club::meant::{NameIndex, NameMatch};
use owlbox_books::club::players::{PlayerDetails, PlayerName};
use owlbox_store::{AnyConnection, players};

/// Somebody who may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    pub player: PlayerId,
    /// As lists offer them: the name, with the nickname in brackets if there is one.
    pub name: String,
}

/// A typed name, and who is meant by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedName {
    pub name: PlayerName,
    pub meant: NameMatch,
    /// Everybody who may be meant; of a name that is nobody's, those who are called alike.
    pub candidates: Vec<Candidate>,
}

impl TypedName {
    fn new(people: &NameIndex, name: PlayerName) -> Self {
        let meant = people.meant(name.as_str());
        let candidate = |player| Some(Candidate { player, name: people.offered(player)?.to_owned() });
        let candidates = match &meant {
            NameMatch::Nobody => people.alike(name.as_str()).into_iter().filter_map(candidate).collect(),
            NameMatch::Player(_) | NameMatch::Near(_) | NameMatch::Several(_) => {
                meant.candidates().filter_map(candidate).collect()
            }
        };
        Self { name, meant, candidates }
    }

    /// The player meant; `None` if the name is nobody's.
    ///
    /// # Errors
    /// `ambiguous_name`, about this field: several have it, or it is nearly somebody's.
    pub fn player(&self, field: &'static str) -> Result<Option<PlayerId>, Refused> {
        let list = || self.candidates.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
        let detail = match &self.meant {
            NameMatch::Player(player) => return Ok(Some(*player)),
            NameMatch::Nobody => return Ok(None),
            NameMatch::Near(_) => {
                format!("no player is called exactly {}: perhaps {} is meant", self.name, list())
            }
            NameMatch::Several(_) => format!("{} may be any of several: {}", self.name, list()),
        };
        let allowed = Some(Allowed::Candidates(self.candidates.clone()));
        Err(Refused::Rule(Rule { code: Code::AmbiguousName, field: Some(field), allowed, detail }))
    }

    /// The player meant, of a name that has to be somebody's.
    ///
    /// # Errors
    /// `unknown_player`, or `ambiguous_name`, about this field.
    pub fn known_player(&self, field: &'static str) -> Result<PlayerId, Refused> {
        self.player(field)?.ok_or_else(|| {
            Refused::rule(Code::UnknownPlayer, Some(field), format!("no player is called {}", self.name))
        })
    }
}

/// Somebody who takes part, and may be new to the club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    Player(PlayerId),
    /// The player who is meant by a name, or a new guest if it is nobody's.
    Named(PlayerName),
    /// A new guest, although somebody may nearly have that name.
    New(PlayerDetails),
}

impl Desk {
    /// Who is meant by each of these names, in the same order.
    ///
    /// # Errors
    /// The store failed.
    pub async fn players_meant(&self, names: Vec<PlayerName>) -> Result<Vec<TypedName>, Refused> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let people = self.people().await?;
        Ok(names.into_iter().map(|name| TypedName::new(&people, name)).collect())
    }

    /// Who is meant by a name.
    ///
    /// # Errors
    /// The store failed.
    pub async fn player_meant(&self, name: PlayerName) -> Result<TypedName, Refused> {
        Ok(TypedName::new(&*self.people().await?, name))
    }

    /// Those of the club who are called the same, in groups, as lists offer them. From now on nobody gets a
    /// name or nickname that another has.
    ///
    /// # Errors
    /// The store failed.
    pub async fn called_alike(&self) -> Result<Vec<Vec<Candidate>>, Refused> {
        let people = self.people().await?;
        let candidate = |player: &PlayerId| {
            Some(Candidate { player: *player, name: people.offered(*player)?.to_owned() })
        };
        Ok(people.clashes().into_iter().map(|group| group.iter().filter_map(candidate).collect()).collect())
    }

    /// What everybody is called, as of the club's newest version.
    async fn people(&self) -> Result<Arc<NameIndex>, Refused> {
        let club = self.club().await?;
        if let Some(people) = self.inner.memory.people(club.version) {
            return Ok(people);
        }
        let (desk, version) = (self.clone(), club.version);
        let people = self.read(move |connection| desk.people_on(connection, &club)).await?;
        self.inner.memory.keep_people(version, &people);
        Ok(people)
    }

    /// The same, for callers with a connection.
    pub(crate) fn people_on(
        &self,
        connection: &mut AnyConnection,
        club: &Stream<Club>,
    ) -> Result<Arc<NameIndex>, Refused> {
        if let Some(people) = self.inner.memory.people(club.version) {
            return Ok(people);
        }
        let mut people = NameIndex::default();
        for (player, name, nickname) in players::names(connection)? {
            match club.state.player(player) {
                Some(entry) if entry.removed => people.add_gone(player, &name),
                Some(_) | None => people.add(player, &name, nickname.as_deref()),
            }
        }
        Ok(Arc::new(people))
    }
}

impl UnitOfWork<'_, '_> {
    /// What everybody is called, with the club locked: nobody else gets a name meanwhile.
    fn people(&mut self) -> Result<&mut Arc<NameIndex>, Refused> {
        if self.people.is_none() {
            let club = self.club()?;
            let desk = self.desk().clone();
            self.people = Some(desk.people_on(self.transaction.connection()?, &club)?);
        }
        self.people.as_mut().ok_or(Refused::NotFound("club"))
    }

    /// Who is meant by a name.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) fn player_meant(&mut self, name: &PlayerName) -> Result<TypedName, Refused> {
        Ok(TypedName::new(self.people()?, name.clone()))
    }

    /// The player that somebody is; a new guest in an act of its own if they are new, for which the caller
    /// needs `needed`.
    ///
    /// # Errors
    /// `ambiguous_name`; the caller may not add guests; or the name is taken.
    pub(crate) fn find_or_add(
        &mut self,
        somebody: &Entrant,
        field: &'static str,
        needed: Option<Permission>,
    ) -> Result<PlayerId, Refused> {
        let details = match somebody {
            Entrant::Player(player) => return Ok(*player),
            Entrant::Named(name) => match self.player_meant(name)?.player(field)? {
                Some(player) => return Ok(player),
                None => PlayerDetails::named(name.clone()),
            },
            Entrant::New(details) => details.clone(),
        };
        needed.map_or(Ok(()), |needed| self.principal.require(needed))?;
        self.apart(|unit| unit.add_guest(details))
    }

    /// Refuses a new name or nickname that somebody else of the club has. `but` are those who may have it.
    pub(super) fn nobody_else_is_called(
        &mut self,
        details: &PlayerDetails,
        before: Option<&PlayerDetails>,
        but: &[PlayerId],
    ) -> Result<(), Refused> {
        let people = self.people()?;
        let name =
            Some(details.name.as_str()).filter(|_| before.is_none_or(|before| before.name != details.name));
        let nickname = details
            .nickname
            .as_ref()
            .filter(|new| before.is_none_or(|before| before.nickname.as_ref() != Some(new)));
        let texts = [("name", name), ("nickname", nickname.map(|nickname| nickname.as_str()))];
        for (field, text) in texts {
            if let Some(text) = text
                && let Some(other) = people.others_called(text, but)
            {
                let other = people.offered(other).unwrap_or(text);
                return Err(name_taken(field, other));
            }
        }
        Ok(())
    }

    /// Notes what somebody new is called, for the rest of this unit.
    pub(super) fn is_called(&mut self, player: PlayerId, details: &PlayerDetails) -> Result<(), Refused> {
        let nickname = details.nickname.as_ref().map(|nickname| nickname.as_str());
        Arc::make_mut(self.people()?).add(player, details.name.as_str(), nickname);
        Ok(())
    }
}
