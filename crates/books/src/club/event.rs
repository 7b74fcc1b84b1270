//! The events of the club, and which of them hold free text.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::house_rules::RuleSetName;
use super::players::DetailField;
use super::settings::Settings;
use owlbox_base::permissions::Roles;
use owlbox_base::values::{AccountId, PlayerId};
use owlbox_chouette::HouseRules;

/// The events of the club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind an event is; as text, what it is stored under.")]
#[expect(missing_docs, reason = "the fields are those of the commands")]
pub enum Event {
    /// The club was opened with these settings.
    Opened { settings: Settings },
    /// The settings were replaced by these.
    SettingsChanged { settings: Settings },
    /// A player, or a guest, was added.
    PlayerAdded { player: PlayerId, guest: bool },
    /// These details of a player changed. The event does not hold their values.
    PlayerDetailsChanged { player: PlayerId, fields: Vec<DetailField> },
    /// A guest became a member.
    GuestBecameMember { player: PlayerId },
    /// A player no longer comes to the club.
    PlayerDeactivated { player: PlayerId },
    /// A deactivated or removed player comes again.
    PlayerReactivated { player: PlayerId },
    /// A player was removed from the club. The journal forgets nothing about them: reactivated, they are the
    /// same player.
    PlayerRemoved { player: PlayerId },
    /// The person behind a player was erased. Their login ended, and what is left of them has a pseudonym for
    /// a name, also in free text of earlier events.
    PlayerErased { player: PlayerId },
    /// A login was created, linked to this player or to nobody.
    AccountCreated { account: AccountId, player: Option<PlayerId>, roles: Roles },
    /// The roles of a login were replaced by these.
    AccountRolesChanged { account: AccountId, roles: Roles },
    /// A login was linked to this player, or to nobody.
    AccountPlayerLinked { account: AccountId, player: Option<PlayerId> },
    /// A login can no longer sign in.
    AccountDeactivated { account: AccountId },
    /// A login can sign in again.
    AccountReactivated { account: AccountId },
    /// A set of house rules was saved under this name. It spells out every setting, so later defaults do not
    /// change it.
    HouseRulesSaved { name: RuleSetName, rules: Box<HouseRules> },
    /// The set of house rules of this name was removed.
    HouseRulesRemoved { name: RuleSetName },
}

impl EventKind {
    /// The keys of its payload under which there is text that somebody typed.
    pub(super) const fn text_keys(self) -> &'static [&'static str] {
        match self {
            // The names of the club and of its seasons, and its words for the seats.
            Self::Opened | Self::SettingsChanged => &["name", "box", "captain", "crew"],
            Self::HouseRulesSaved | Self::HouseRulesRemoved => &["name"],
            Self::PlayerAdded
            | Self::PlayerDetailsChanged
            | Self::GuestBecameMember
            | Self::PlayerDeactivated
            | Self::PlayerReactivated
            | Self::PlayerRemoved
            | Self::PlayerErased
            | Self::AccountCreated
            | Self::AccountRolesChanged
            | Self::AccountPlayerLinked
            | Self::AccountDeactivated
            | Self::AccountReactivated => &[],
        }
    }
}
