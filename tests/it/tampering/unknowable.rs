//! Changes that no program can detect from the journal, place by place: free choices of a person, on which
//! nothing else depends.
//!
//! The table of `docs/operations.md` says the same in fewer words.

use super::places::Change;

/// Places, with the reason why their values cannot be known.
pub(super) struct Unknowable {
    /// Each in the form of [`Change::place`]. A `*` at the end stands for anything that follows.
    pub(super) places: &'static [&'static str],
    pub(super) why: &'static str,
}

/// Any value in an act that was undone.
const TAKEN_BACK: &str = "taken back";

pub(super) const ALL: &[Unknowable] = &[
    // Places of any act.
    Unknowable { places: &["journal account"], why: "another login could have done it too" },
    Unknowable {
        places: &["journal act"],
        why: "the id of an act of one stream is made by chance but for its time",
    },
    Unknowable {
        places: &["journal at"],
        why: "clocks differ by seconds, and at the ends of a stream there is one neighbour",
    },
    Unknowable { places: &["journal format"], why: "the first act of a stream follows none" },
    Unknowable { places: &[TAKEN_BACK], why: "what somebody said, and was taken back" },
    // Places of the club.
    Unknowable {
        places: &["club opened settings.*", "club settings_changed settings.*"],
        why: "settings that nothing went by before they were changed again",
    },
    Unknowable {
        places: &[
            "club house_rules_saved name",
            "club house_rules_saved rules.*",
            "club house_rules_removed name",
        ],
        why: "the club's own sets of house rules stand nowhere else",
    },
    Unknowable {
        places: &["club player_details_changed fields[]"],
        why: "which details were changed: they are plain records, so that a person can be erased",
    },
    Unknowable {
        places: &["club account_created roles[]", "club account_roles_changed roles[]"],
        why: "what a login was before it was changed again, where it did nothing by it",
    },
    // Places of a chouette.
    Unknowable {
        places: &["chouette opened rules.*", "chouette rules_changed rules.*"],
        why: "rules by which no game came out otherwise",
    },
    Unknowable {
        places: &["chouette rolls_entered rolls[].dice[]", "chouette order_drawn rounds[][].dice[]"],
        why: "rolls that leave the same order",
    },
    Unknowable {
        places: &[
            "chouette stake_set units",
            "chouette stake_set player",
            "chouette start_set value",
            "chouette start_set player",
        ],
        why: "a stake for which no game was played",
    },
    Unknowable {
        places: &["chouette proxy_named player", "chouette proxy_named proxy*"],
        why: "who decided for whom, where there was nothing to decide",
    },
    Unknowable {
        places: &["chouette answered answer", "chouette answered player"],
        why: "an answer in secret that was never shown",
    },
    Unknowable {
        places: &[
            "chouette board of.side",
            "chouette board of.roll[]",
            "chouette board of.white",
            "chouette board of.black",
            "chouette board of.die",
        ],
        why: "who said that dice were cocked, and dice that nobody played",
    },
    Unknowable {
        places: &["chouette game_corrected after[].by"],
        why: "how a bet ended that comes to the same either way",
    },
    // Places of a sheet.
    Unknowable {
        places: &["match opened clock.*", "match clock_set clock.*"],
        why: "the settings of a clock that nobody lost by",
    },
    Unknowable {
        places: &[
            "match board of.side",
            "match board of.roll[]",
            "match board of.white",
            "match board of.black",
            "match board of.die",
        ],
        why: "who said that dice were cocked, and dice that nobody played",
    },
    Unknowable { places: &["match opened terms.*"], why: "terms by which no game came out otherwise" },
    Unknowable {
        places: &[
            "match game_won won.how",
            "match game_won won.began",
            "match corrected now.how",
            "match corrected now.began",
        ],
        why: "how a game came to its end, and who began",
    },
    Unknowable { places: &["match penalised minutes"], why: "minutes late that cost the same points" },
    Unknowable {
        places: &["match finished outcome.ending", "match finished outcome.score[]"],
        why: "what was said of the end, where nothing was rated by it and no bracket says it too",
    },
    // Places of a tournament.
    Unknowable {
        places: &["tournament opened about.*", "tournament about_changed about.*"],
        why: "what is told about it, as far as it was told otherwise later or is shown nowhere else",
    },
    Unknowable {
        places: &["tournament directors_changed directors[]"],
        why: "a login that did nothing there; journals of before they were looked up may name any",
    },
    Unknowable {
        places: &["tournament division_added settings.*", "tournament division_changed settings.*"],
        why: "settings by which nothing was done before they were changed again",
    },
    Unknowable {
        places: &["tournament tables_set tables[].*"],
        why: "tables at which nobody played, and where they stand",
    },
    Unknowable {
        places: &["tournament checked_in here", "tournament checked_in entries[]"],
        why: "who had checked in, where nothing was drawn by it",
    },
    Unknowable { places: &["tournament seeded entries[]"], why: "a seeding list by which nothing was drawn" },
    Unknowable {
        places: &["tournament drawn drawn.seed", "tournament last_chance_drawn drawn.seed"],
        why: "another seed of which the same is drawn: of few entries there are many",
    },
    Unknowable { places: &["tournament drawn reason", "tournament closed reason"], why: "reasons" },
    Unknowable {
        places: &[
            "tournament called match",
            "tournament called table",
            "tournament uncalled match",
            "tournament began match",
        ],
        why: "which match was called, and at which free table, where it was called off again or played all the same",
    },
    Unknowable {
        places: &["tournament postponed until", "tournament postponed match", "tournament resumed match"],
        why: "which match was postponed until when",
    },
    Unknowable {
        places: &["tournament leaves_after entry"],
        why: "who wanted to leave after a match that was not played",
    },
    Unknowable {
        places: &[
            "tournament reported score[]",
            "tournament reported match",
            "tournament reported entry",
            "tournament reported by",
        ],
        why: "what one side alone said",
    },
    Unknowable {
        places: &[
            "tournament resulted changes[].outcome.score[]",
            "tournament corrected changes[].outcome.score[]",
            "tournament resulted changes[].outcome.ending",
            "tournament corrected changes[].outcome.ending",
        ],
        why: "the loser's points, and how a match ended that was not rated",
    },
    // Places of plain records.
    Unknowable {
        places: &[
            "player name",
            "player name_key",
            "player nickname",
            "player country",
            "player club",
            "player contact",
            "player notes",
        ],
        why: "personal details are plain records, so that a person can be erased",
    },
    Unknowable {
        places: &["idempotency *"],
        why: "which command was sent with which key is a plain record, kept for two days",
    },
];

/// The place on the list that covers a change, if one does.
pub(super) fn listed(change: &Change) -> Option<&'static str> {
    let falls = |place: &&str| match place.strip_suffix('*') {
        Some(beginning) => change.place.starts_with(beginning),
        None => change.place == **place,
    };
    let listed = ALL.iter().flat_map(|one| one.places).copied().find(falls);
    listed.or_else(|| change.of_taken_back.then_some(TAKEN_BACK))
}
