//! Roles: a person's part in the club. What each may do is the table in the [parent module](super).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::values::InvalidValue;

/// The part that the owner of a login plays in the club. One login can have several roles.
//
// The numbers are the bit positions of [`Roles::to_bits`]; they are stored, so they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Role {
    /// May do everything, including roles, accounts and settings.
    Admin = 0,
    /// Runs tournaments, manages the club's players, and may do everything a scorer may.
    Director = 1,
    /// Keeps the books: every ledger, payments, adjustments, closing.
    Treasurer = 2,
    /// Runs chouettes and enters match results; acts for anybody at the table.
    Scorer = 3,
    /// Gives their own answers, enters their own results, sees their own ledger.
    Player = 4,
}

impl Role {
    /// Every role, most powerful first.
    pub const ALL: [Self; 5] = [Self::Admin, Self::Director, Self::Treasurer, Self::Scorer, Self::Player];

    /// The name in JSON, commands and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Director => "director",
            Self::Treasurer => "treasurer",
            Self::Scorer => "scorer",
            Self::Player => "player",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = InvalidValue;
    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or(InvalidValue { what: "role", allowed: "admin, director, treasurer, scorer or player" })
    }
}

/// A set of roles. In JSON an alphabetical list of names; a repeated name counts once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(from = "Vec<Role>", into = "Vec<Role>")]
#[cfg_attr(feature = "schema", schema(value_type = Vec<Role>, example = json!(["player", "scorer"])))]
pub struct Roles(u8);

impl Roles {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self::from_roles(&Role::ALL);

    #[must_use]
    pub const fn from_roles(roles: &[Role]) -> Self {
        let mut bits = 0;
        let mut rest = roles;
        while let [role, others @ ..] = rest {
            bits |= role.bit();
            rest = others;
        }
        Self(bits)
    }

    /// Whether the set contains `role`.
    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// The set with `role` added.
    #[must_use]
    pub const fn and(self, role: Role) -> Self {
        Self(self.0 | role.bit())
    }

    /// Whether the two sets have a role in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the roles, most powerful first.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.contains(*role))
    }

    /// The set as a small number for storage.
    #[must_use]
    pub const fn to_bits(self) -> i16 {
        self.0 as i16
    }

    /// Restores the set that [`to_bits`](Self::to_bits) wrote.
    ///
    /// # Errors
    /// `bits` has a bit that stands for no role.
    pub fn from_bits(bits: i16) -> Result<Self, InvalidValue> {
        match u8::try_from(bits) {
            Ok(bits) if bits & !Self::ALL.0 == 0 => Ok(Self(bits)),
            _ => Err(InvalidValue { what: "roles", allowed: "a sum of the five role bits, 0 to 31" }),
        }
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Self(roles.into_iter().fold(0, |bits, role| bits | role.bit()))
    }
}
impl From<Vec<Role>> for Roles {
    fn from(roles: Vec<Role>) -> Self {
        roles.into_iter().collect()
    }
}
impl From<Roles> for Vec<Role> {
    fn from(roles: Roles) -> Self {
        let mut list: Self = roles.iter().collect();
        list.sort_unstable_by_key(|role| role.name());
        list
    }
}
impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Roles are stored as bits; a number with an unknown bit fails the query that reads it.
impl TryFrom<i16> for Roles {
    type Error = InvalidValue;
    fn try_from(bits: i16) -> Result<Self, InvalidValue> {
        Self::from_bits(bits)
    }
}
impl From<Roles> for i16 {
    fn from(roles: Roles) -> Self {
        roles.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_survives_storage_and_json() {
        for bits in 0..32 {
            let roles = Roles::from_bits(bits).unwrap();
            assert_eq!(roles.to_bits(), bits);
            let json = serde_json::to_string(&roles).unwrap();
            assert_eq!(serde_json::from_str::<Roles>(&json).unwrap(), roles, "{json}");
        }
        for bits in [-1, 32, 64, i16::MAX] {
            assert!(Roles::from_bits(bits).is_err(), "{bits}");
        }
    }

    #[test]
    fn roles_read_as_an_alphabetical_list_of_names() {
        assert_eq!(
            serde_json::to_string(&Roles::ALL).unwrap(),
            r#"["admin","director","player","scorer","treasurer"]"#
        );
        let doubled: Roles = serde_json::from_str(r#"["player","admin","player"]"#).unwrap();
        assert_eq!(doubled, Roles::from_roles(&[Role::Admin, Role::Player]));
        assert!(serde_json::from_str::<Roles>(r#"["owner"]"#).is_err());
    }

    #[test]
    fn a_role_parses_from_the_name_it_prints() {
        for role in Role::ALL {
            assert_eq!(role.to_string().parse::<Role>().unwrap(), role);
            assert_eq!(serde_json::to_string(&role).unwrap(), format!("{:?}", role.name()));
        }
        assert!("Admin".parse::<Role>().is_err());
    }
}
