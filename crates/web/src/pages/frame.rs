//! What surrounds every page: header, navigation, notice, footer.

use crate::assets;
use crate::locale::Language;
use owlbox_desk::players::ActivePlayer;
use owlbox_domain::journal::Version;

/// A place in the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Night,
    Tournaments,
    Matches,
    Players,
    Ledger,
    Rules,
    Settings,
    Account,
    Reference,
}

impl Tab {
    const fn name(self) -> &'static str {
        match self {
            Self::Night => "night",
            Self::Tournaments => "tournaments",
            Self::Matches => "matches",
            Self::Players => "players",
            Self::Ledger => "ledger",
            Self::Rules => "rules",
            Self::Settings => "settings",
            Self::Account => "account",
            Self::Reference => "reference",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Viewer {
    /// The name the header shows.
    pub name: String,
    /// The player behind the account, if there is one: the ledger in the navigation.
    pub player: Option<String>,
    /// Whether the settings are open to them.
    pub may_change_settings: bool,
}

/// Something to tell once, above the page.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The words, already in the reader's language.
    pub text: String,
    /// Whether it tells of something that did not work.
    pub problem: bool,
    /// Where there is more to see: an address, and what it leads to.
    pub link: Option<(String, String)>,
}

/// One option of a `<select>` or a list of boxes.
#[derive(Clone, Debug)]
pub struct Choice {
    pub value: String,
    pub label: String,
    pub chosen: bool,
}

impl Choice {
    pub fn new(value: impl Into<String>, label: impl Into<String>, chosen: bool) -> Self {
        Self { value: value.into(), label: label.into(), chosen }
    }

    /// A player, by both of his names.
    pub fn player(player: &ActivePlayer, chosen: bool) -> Self {
        let label = match &player.nickname {
            Some(nickname) => format!("{} ({nickname})", player.name),
            None => player.name.clone(),
        };
        Self::new(player.id.to_string(), label, chosen)
    }
}

/// A part of a page that lives: what the script needs to show it again as soon as it changes.
#[derive(Clone, Debug)]
pub struct LivePart {
    /// The address at which the page with it is fetched again.
    pub page: String,
    pub version: Version,
    /// The stream that tells of the next, as long as there is something to come.
    pub stream: Option<String>,
    /// Another one by which what is shown here changes, too.
    pub beside: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Frame {
    /// The club's name; before the set-up, the program's.
    pub club: String,
    /// The page's name, for the window.
    pub title: String,
    /// Where in the navigation the page is.
    pub tab: Option<Tab>,
    /// Who is signed in, if anybody is.
    pub viewer: Option<Viewer>,
    /// What every form has to send back.
    pub csrf: String,
    /// The page's own address, to come back to after picking a language.
    pub here: String,
    pub notice: Option<Notice>,
}

impl Frame {
    /// The address of an embedded file.
    #[must_use]
    pub fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    /// The languages of the picker.
    #[must_use]
    pub const fn languages(&self) -> [Language; 2] {
        Language::ALL
    }

    /// What `aria-current` says of the tab of that name.
    #[must_use]
    pub fn current(&self, tab: &str) -> &'static str {
        if self.tab.is_some_and(|here| here.name() == tab) { "page" } else { "false" }
    }
}
