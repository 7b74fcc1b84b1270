//! The page of the building blocks, `/docs/ui`: what pages are made of, each by day and by night, drawn by
//! the macros and templates that the pages use. In English only, like everything for programmers.

use askama::Template;
use chrono_tz::Tz;
use uuid::Uuid;

use super::Notice;
use crate::pages::assets;
use crate::table::blocks;
use owlbox_base::values::{Currency, HalfPoints, MinorUnits, PlayerId};
use owlbox_locale::{Amount, Language, Locale};

/// A building block of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    Colours,
    Text,
    Amounts,
    Buttons,
    Notices,
    Badges,
    Cards,
    Rows,
    Tables,
    Fields,
    Chips,
    Folded,
    Seats,
}

impl Block {
    /// In the order of the page.
    const ALL: [Self; 13] = [
        Self::Colours,
        Self::Text,
        Self::Amounts,
        Self::Buttons,
        Self::Notices,
        Self::Badges,
        Self::Cards,
        Self::Rows,
        Self::Tables,
        Self::Fields,
        Self::Chips,
        Self::Folded,
        Self::Seats,
    ];

    /// Its anchor on the page.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Colours => "colours",
            Self::Text => "text",
            Self::Amounts => "amounts",
            Self::Buttons => "buttons",
            Self::Notices => "notices",
            Self::Badges => "badges",
            Self::Cards => "cards",
            Self::Rows => "rows",
            Self::Tables => "tables",
            Self::Fields => "fields",
            Self::Chips => "chips",
            Self::Folded => "folded",
            Self::Seats => "seats",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Colours => "Colours",
            Self::Text => "Text",
            Self::Amounts => "Amounts",
            Self::Buttons => "Buttons",
            Self::Notices => "Notices",
            Self::Badges => "Badges, cubes and dice",
            Self::Cards => "Cards and tiles",
            Self::Rows => "Lines of a list",
            Self::Tables => "Tables",
            Self::Fields => "Fields",
            Self::Chips => "Chips",
            Self::Folded => "Folded parts and sheets",
            Self::Seats => "Seats at a table",
        }
    }

    /// When to use it.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Colours => "Every colour has a name, and stands nowhere but in these variables.",
            Self::Text => "One scale of sizes. The answer to the page's question is the largest text on it.",
            Self::Amounts => "Always with a sign, halves as ½, and never told by colour alone.",
            Self::Buttons => {
                "One main button a page, for the likeliest act. The label says what will be recorded."
            }
            Self::Notices => "What has happened, or why it could not, above what it is about.",
            Self::Badges => "A remark of few words on what stands beside it.",
            Self::Cards => "A card holds one subject. A tile is a card that leads somewhere.",
            Self::Rows => "A name and what belongs to it. At least 56 pixels high, so that it can be tapped.",
            Self::Tables => "For figures that are compared. Numbers are right-aligned and tabular.",
            Self::Fields => "One below the other, each with its label above it and its hint below it.",
            Self::Chips => "Filters and views, as links: a filtered page can be sent to somebody.",
            Self::Folded => "What is seldom needed, and acts that need more than a tap.",
            Self::Seats => "The box, the captain and the crew, with their cubes and scores.",
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "ui.html")]
pub struct BuildingBlocks {
    points: [Amount; 3],
    money: [Amount; 2],
    notices: [Notice; 2],
    /// The seats of a table, as markup.
    seats: String,
}

impl Default for BuildingBlocks {
    fn default() -> Self {
        let t = Locale::new(Language::English, Tz::UTC);
        let points = [23, -6, 0].map(|points| t.points(HalfPoints(points)));
        let money = [5750, -1500].map(|amount| t.money(MinorUnits(amount), Currency::EURO));
        let notice = |text: &str, problem| Notice {
            text: text.to_owned(),
            problem,
            link: problem.then(|| ("#notices".to_owned(), "What may be done".to_owned())),
        };
        let notices = [
            notice("The payment is recorded.", false),
            notice("Kim has taken in the meantime. Nothing was recorded.", true),
        ];
        Self { points, money, notices, seats: blocks::seats(t) }
    }
}

impl BuildingBlocks {
    const fn blocks(&self) -> [Block; 13] {
        Block::ALL
    }

    /// The CSS classes of the themes.
    const fn themes(&self) -> [&'static str; 2] {
        ["day", "night"]
    }

    fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    fn sums(&self) -> [(&'static str, &str); 2] {
        let [won, lost] = &self.money;
        [("Ada", &won.text), ("Giambattista", &lost.text)]
    }

    /// People with a face each.
    fn people(&self) -> Vec<(PlayerId, &'static str)> {
        let names = ["Ada Lovelace", "Kim", "Lou Reed", "Max Ferrero-Quaglia"];
        (0..).map(|number| PlayerId(Uuid::from_u128(number))).zip(names).collect()
    }

    /// The names of the colours, and what each is for.
    const fn colours(&self) -> [(&'static str, &'static str); 10] {
        [
            ("ground", "behind everything"),
            ("surface", "cards and fields"),
            ("line", "borders"),
            ("text", "what is read"),
            ("muted", "what is read second"),
            ("accent", "the box, the likeliest act"),
            ("captain", "the captain, the focus"),
            ("won", "won, done"),
            ("lost", "lost, refused"),
            ("ivory", "cubes and dice"),
        ]
    }
}
