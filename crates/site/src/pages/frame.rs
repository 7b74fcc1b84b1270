//! The surroundings of every page: header, navigation, notice, footer. The handlers fill them in; the layout
//! template draws them.

use crate::pages::button::Button;
use crate::pages::{Theme, assets, button};
use crate::refused::{Filled, RefusedForm};
use owlbox_base::journal::Version;
use owlbox_locale::Language;
use strum::VariantArray as _;

/// An entry of the navigation.
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
    /// The id of the account: what was tapped by one is not sent by another.
    pub account: String,
    pub name: String,
    /// The player behind the account, if there is one. Their ledger is in the navigation, unless they keep
    /// the books.
    pub player: Option<String>,
    /// Whether they keep the books: then the treasury is in the navigation, and their own ledger beside it.
    pub keeps_books: bool,
    /// Whether they may change the settings of the club.
    pub may_change_settings: bool,
}

/// A message shown once, above the page.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The text, already in the reader's language.
    pub text: String,
    /// Whether it reports a failure or a refusal.
    pub problem: bool,
    /// An address with more about it, and the label of the link.
    pub link: Option<(String, String)>,
}

/// A live part of a page: what the script needs to fetch it again as soon as it changes.
#[derive(Clone, Debug)]
pub struct LivePart {
    /// The address of the page that contains it.
    pub page: String,
    pub version: Version,
    /// The event stream that announces the next version. `None` once nothing more can happen.
    pub stream: Option<String>,
    /// A second stream whose events also change this part.
    pub beside: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The club's name, or the program's before the set-up.
    pub club: String,
    /// The title of the page, for the window's title bar.
    pub title: String,
    /// The current entry of the navigation. `None` for pages outside it.
    pub tab: Option<Tab>,
    /// The signed-in user. `None` for strangers.
    pub viewer: Option<Viewer>,
    /// The CSRF token. Every form sends it back. Empty on a page that all strangers share.
    pub csrf: String,
    /// The page's own address, to return to after picking a language.
    pub here: String,
    /// How the reader wants pages to look.
    pub theme: Theme,
    pub notice: Option<Notice>,
    /// The form of this page that was refused.
    pub refused: Option<RefusedForm>,
}

impl Frame {
    /// The form that is sent to this address: as it was sent, if it was refused.
    #[must_use]
    pub fn form(&self, action: &str) -> Filled<'_> {
        RefusedForm::at(self.refused.as_ref(), action)
    }

    /// The form of this button, which is sent to this address.
    #[must_use]
    pub fn form_of(&self, button: &Button, act: &str) -> Filled<'_> {
        let form = self.form(act);
        button.fields.iter().fold(form, |form, field| form.sending(&field.name, &field.value))
    }

    /// The form by which this page is asked for: as it was sent, if it was refused.
    #[must_use]
    pub fn question(&self) -> Filled<'_> {
        self.form("")
    }

    /// The address of an embedded file. Empty for an unknown name.
    #[must_use]
    pub fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    /// A new key for a form, so that it does the same once however often it is sent.
    #[must_use]
    pub fn key(&self) -> String {
        button::key()
    }

    /// The languages to pick from, in the footer.
    #[must_use]
    pub const fn languages(&self) -> &'static [Language] {
        Language::ALL
    }

    /// The themes to pick from.
    #[must_use]
    pub const fn themes(&self) -> &'static [Theme] {
        Theme::VARIANTS
    }

    /// The navigation: where each entry leads, the key of its words, and the value of its `aria-current`.
    #[must_use]
    pub fn tabs(&self) -> Vec<(String, &'static str, &'static str)> {
        let Some(viewer) = &self.viewer else { return Vec::new() };
        let own = viewer.player.as_ref().map(|player| format!("/ledger/{player}"));
        let ledger = if viewer.keeps_books { Some("/ledger/treasury".to_owned()) } else { own };
        let settings = viewer.may_change_settings.then(|| "/settings".to_owned());
        let tabs = [
            (Some("/".to_owned()), "tab-night", Tab::Night),
            (Some("/tournaments".to_owned()), "tab-tournaments", Tab::Tournaments),
            (Some("/matches".to_owned()), "tab-matches", Tab::Matches),
            (Some("/players".to_owned()), "tab-players", Tab::Players),
            (ledger, "tab-ledger", Tab::Ledger),
            (Some("/house-rules".to_owned()), "tab-rules", Tab::Rules),
            (settings, "tab-settings", Tab::Settings),
        ];
        let shown = tabs.into_iter().filter_map(|(page, label, tab)| Some((page?, label, tab)));
        shown.map(|(page, label, tab)| (page, label, self.current(tab.name()))).collect()
    }

    /// The value of `aria-current` on the navigation entry with that name.
    #[must_use]
    pub fn current(&self, tab: &str) -> &'static str {
        if self.tab.is_some_and(|here| here.name() == tab) { "page" } else { "false" }
    }
}
