//! Who is meant by a typed name. There is one way for all: forms, files, and the command line.
//!
//! 1. Whose name or nickname it is, letter by letter except for case ([`folded`]).
//! 2. Whose name or nickname it is, however a keyboard writes it ([`spelled`]): `O'Brien` is `O’Brien`, `Jean
//!    Luc` is `Jean-Luc`. As lists offer somebody, `Beatrice Nardi (Bea)`, they are found as well.
//! 3. Whose name it nearly is: without the marks of its letters, its words in another order, or with one slip
//!    in a long word. That is a proposal, which somebody has to confirm.
//!
//! The first of these that finds somebody counts. Where it finds several, nobody is chosen.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;

use owlbox_base::text::{folded, sought};
use owlbox_base::values::PlayerId;

/// The shortest word in which a slip is seen as one. `Anna` and `Anne` are two names.
const SHORTEST_WITH_A_SLIP: usize = 6;
/// The shortest word in which it may be one, beside another word that is the same: `Ana Bianchi`, `Anna
/// Bianchi`.
const SHORTEST_ALIKE: usize = 3;

/// A text in plain words: apostrophes, quotation marks and dots left out; hyphens and blanks, of whatever
/// kind, as single blanks.
fn plain_words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\'' | '’' | '‘' | '‚' | '‛' | '`' | '´' | 'ʼ' | 'ʻ' | 'ʽ' | 'ʹ' | 'ˈ' | '′' | '‵' | '＇'
            | '՚' | '׳' | '"' | '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '‹' | '›' | '״' | '＂' | '.'
            | '·' | '•' | '․' | '‧' | '・' | '。' | '．' | '｡' => {}
            '-' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '⁃' | '﹘' | '﹣' | '－' => {
                words.push(' ');
            }
            other => words.push(other),
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The form in which two spellings of a name meet, on whatever keyboard they were typed: [`folded`], without
/// apostrophes, quotation marks, hyphens, dots and blanks, and wide or joined letters as plain ones. Letters
/// with marks stay what they are.
#[must_use]
pub fn spelled(name: &str) -> String {
    // What stands alone goes first: some of it would become a blank with a mark.
    let plain: String = plain_words(name).nfkc().collect();
    let spelled = plain_words(&folded(&plain)).replace(' ', "");
    // A name of nothing but such characters has only these.
    if spelled.is_empty() { folded(name) } else { spelled }
}

/// A text as it is typed where the keyboard has no umlauts.
fn without_umlauts(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.nfc() {
        match letter {
            'ä' | 'Ä' => plain.push_str("ae"),
            'ö' | 'Ö' | 'ø' | 'Ø' => plain.push_str("oe"),
            'ü' | 'Ü' => plain.push_str("ue"),
            'å' | 'Å' => plain.push_str("aa"),
            other => plain.push(other),
        }
    }
    plain
}

/// The words of a name as it is [`sought`], in the order of the alphabet: the form in which near names meet.
/// Letters that stand for one with a mark (`ue` for `ü`) are that letter without it.
fn near_words(name: &str) -> Vec<String> {
    let plain: String =
        plain_words(name).nfkc().map(|letter| if letter == ',' { ' ' } else { letter }).collect();
    let plain = plain_words(&sought(&plain));
    let mut words: Vec<String> = plain
        .split(' ')
        .map(|word| word.replace("ae", "a").replace("oe", "o").replace("ue", "u"))
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words
}

/// Text by which somebody is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    words: String,
    joined: String,
}

impl Search {
    #[must_use]
    pub fn new(text: &str) -> Self {
        let words = plain_words(&sought(text));
        let joined = words.replace(' ', "");
        Self { words, joined }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether it finds a text: as a part of it, or from the beginning of one of its words on if blanks do
    /// not count.
    #[must_use]
    pub fn finds(&self, text: &str) -> bool {
        self.place_in(text).is_some()
    }

    /// Where in the words of a text it is found: the sooner, the better it fits.
    #[must_use]
    pub fn place_in(&self, text: &str) -> Option<usize> {
        let words = plain_words(&sought(text));
        let begins = std::iter::once(0).chain(words.match_indices(' ').map(|(at, _)| at + 1));
        let joined = |at: &usize| {
            let mut rest = words.get(*at..).unwrap_or_default().chars().filter(|letter| *letter != ' ');
            self.joined.chars().all(|letter| rest.next() == Some(letter))
        };
        let found = words.find(&self.words).or_else(|| begins.into_iter().find(joined));
        found.or_else(|| {
            let plain = Some(without_umlauts(text)).filter(|plain| plain != text)?;
            plain_words(&sought(&plain)).find(&self.words)
        })
    }
}

/// The player meant by a typed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// The only one with that name or nickname.
    Player(PlayerId),
    /// Nobody has that name, and this is the only one who nearly has it: to be confirmed.
    Near(PlayerId),
    /// Several have that name, or nearly have it.
    Several(BTreeSet<PlayerId>),
    Nobody,
}

impl NameMatch {
    fn among(found: BTreeSet<PlayerId>, only: impl FnOnce(PlayerId) -> Self) -> Option<Self> {
        match found.first() {
            None => None,
            Some(player) if found.len() == 1 => Some(only(*player)),
            Some(_) => Some(Self::Several(found)),
        }
    }

    /// Everybody who may be meant.
    pub fn candidates(&self) -> impl Iterator<Item = PlayerId> {
        let (one, several) = match self {
            Self::Player(player) | Self::Near(player) => (Some(*player), None),
            Self::Several(players) => (None, Some(players)),
            Self::Nobody => (None, None),
        };
        one.into_iter().chain(several.into_iter().flatten().copied())
    }
}

type ByText = HashMap<String, BTreeSet<PlayerId>>;

/// What the people of a club are called.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// How lists [offer](offered) each of them.
    offered: HashMap<PlayerId, String>,
    /// By [`folded`] names and nicknames, and as lists [offer](offered) them.
    exact: ByText,
    /// The same by how they are [`spelled`].
    spelled: ByText,
    /// Names and nicknames by [`near_words`].
    near: ByText,
    /// Those who are no longer in the club, by their folded names.
    gone: HashMap<String, PlayerId>,
    /// The same names with a letter of a word left out, and that word: made when it is first needed.
    /// A person added later is added to it: a long list of new people makes it once.
    slips: OnceLock<Slips>,
}

type Slips = HashMap<String, Vec<(PlayerId, String)>>;

/// Notes these people by their words with a letter left out.
fn note_slips(slips: &mut Slips, words: &[String], players: &BTreeSet<PlayerId>) {
    for (text, word) in with_a_letter_less(words) {
        let of = players.iter().map(|player| (*player, word.to_owned()));
        slips.entry(text).or_default().extend(of);
    }
}

impl NameIndex {
    /// Adds somebody of the club.
    pub fn add(&mut self, player: PlayerId, name: &str, nickname: Option<&str>) {
        let as_offered = offered(name, nickname);
        for text in [Some(name), nickname, Some(as_offered.as_str())].into_iter().flatten() {
            self.exact.entry(folded(text)).or_default().insert(player);
            self.spelled.entry(spelled(text)).or_default().insert(player);
        }
        self.offered.insert(player, as_offered);
        for text in [Some(name), nickname].into_iter().flatten() {
            let words = near_words(text);
            if let Some(slips) = self.slips.get_mut() {
                note_slips(slips, &words, &BTreeSet::from([player]));
            }
            self.near.entry(words.join(" ")).or_default().insert(player);
        }
    }

    /// Adds somebody who was removed from the club: meant by their full name alone, and only if nobody in the
    /// club is.
    pub fn add_gone(&mut self, player: PlayerId, name: &str) {
        self.gone.insert(folded(name), player);
        self.offered.insert(player, name.to_owned());
    }

    /// Who is meant by a typed name.
    #[must_use]
    pub fn meant(&self, typed: &str) -> NameMatch {
        let found = |by: &ByText, text: &str| by.get(text).cloned().unwrap_or_default();
        let exact = folded(&typed.split_whitespace().collect::<Vec<_>>().join(" "));
        let words = near_words(typed);
        NameMatch::among(found(&self.exact, &exact), NameMatch::Player)
            .or_else(|| NameMatch::among(found(&self.spelled, &spelled(typed)), NameMatch::Player))
            .or_else(|| self.gone.get(&exact).copied().map(NameMatch::Player))
            .or_else(|| NameMatch::among(found(&self.near, &words.join(" ")), NameMatch::Near))
            .or_else(|| NameMatch::among(self.with_a_slip(&words, SHORTEST_WITH_A_SLIP), NameMatch::Near))
            .unwrap_or(NameMatch::Nobody)
    }

    /// Who is called so except for one letter of one of several words, however short that word is. That is
    /// too little to be in doubt of, and enough to be shown where somebody looks at a list.
    #[must_use]
    pub fn alike(&self, typed: &str) -> BTreeSet<PlayerId> {
        let words = near_words(typed);
        if words.len() > 1 { self.with_a_slip(&words, SHORTEST_ALIKE) } else { BTreeSet::new() }
    }

    /// How lists offer somebody; `None` if there is no such player.
    #[must_use]
    pub fn offered(&self, player: PlayerId) -> Option<&str> {
        self.offered.get(&player).map(String::as_str)
    }

    /// Somebody else of the club with this name or nickname, however it is spelled.
    #[must_use]
    pub fn others_called(&self, name: &str, but: &[PlayerId]) -> Option<PlayerId> {
        self.spelled.get(&spelled(name))?.iter().find(|player| !but.contains(player)).copied()
    }

    /// Those of the club who are called the same, in groups.
    #[must_use]
    pub fn clashes(&self) -> BTreeSet<&BTreeSet<PlayerId>> {
        self.spelled.values().filter(|players| players.len() > 1).collect()
    }

    /// Whose name these words are except for one slip, in a word of so many letters or more.
    fn with_a_slip(&self, words: &[String], shortest: usize) -> BTreeSet<PlayerId> {
        let slips = self.slips.get_or_init(|| {
            let mut slips = Slips::new();
            for (name, players) in &self.near {
                let words: Vec<String> = name.split(' ').map(str::to_owned).collect();
                note_slips(&mut slips, &words, players);
            }
            slips
        });
        let typed = with_a_letter_less(words);
        let near = typed.iter().flat_map(|(text, typed)| {
            let known = slips.get(text).map_or(&[][..], Vec::as_slice);
            known.iter().filter(|(_, word)| is_a_slip(typed, word, shortest)).map(|(player, _)| *player)
        });
        near.collect()
    }
}

/// How lists offer somebody: by the name, with the nickname in brackets if there is one.
#[must_use]
pub fn offered(name: &str, nickname: Option<&str>) -> String {
    nickname.map_or_else(|| name.to_owned(), |nickname| format!("{name} ({nickname})"))
}

/// These words with each that is not too short whole, and with each of its letters left out, each time with
/// the word. Words with one slip between them have a form in common. A number has no slips: it is another
/// number.
fn with_a_letter_less(words: &[String]) -> Vec<(String, &str)> {
    let mut forms = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_word = !word.contains(|letter: char| letter.is_numeric());
        if word.chars().count() + 1 < SHORTEST_ALIKE || !is_word {
            continue;
        }
        let rest: Vec<&str> = words
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, word)| word.as_str())
            .collect();
        let rest = rest.join(" ");
        forms.push((format!("{rest}|{word}"), word.as_str()));
        for (without, letter) in word.char_indices() {
            let (before, after) = word.split_at(without);
            let after = after.get(letter.len_utf8()..).unwrap_or_default();
            forms.push((format!("{rest}|{before}{after}"), word.as_str()));
        }
    }
    forms
}

/// Whether one of two words of so many letters is the other with a letter too many, another letter, or two
/// letters in the wrong order.
fn is_a_slip(one: &str, other: &str, shortest: usize) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one == other || one.len().max(other.len()) < shortest {
        return false;
    }
    let before = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[before..], &other[before..]);
    let after = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - after], &other[..other.len() - after]);
    match (one, other) {
        ([_], []) | ([], [_]) | ([_], [_]) => true,
        ([first, second], [third, fourth]) => first == fourth && second == third,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn player(number: usize) -> PlayerId {
        PlayerId(Uuid::from_u128(number as u128))
    }

    /// People by their names and nicknames, numbered in order.
    fn club(people: &[(&str, Option<&str>)]) -> NameIndex {
        let mut club = NameIndex::default();
        for (number, (name, nickname)) in people.iter().enumerate() {
            club.add(player(number), name, *nickname);
        }
        club
    }

    #[test]
    fn a_name_is_spelled_alike_on_every_keyboard() {
        for (one, other) in [
            ("Seán O’Brien", "SEÁN O'BRIEN"),
            ("O`Brien", "OʼBrien"),
            ("O\u{b4}Brien", "O\u{2032}Brien"),
            ("Jean-Luc", "Jean Luc"),
            ("Jean\u{2011}Luc", "JeanLuc"),
            ("Jean\u{ad}Luc", "jean–luc"),
            ("J. R. Smith", "JR Smith"),
            ("J.R.Smith", "j r\u{a0}smith"),
            ("St. John", "St John"),
            ("De Luca", "DeLuca"),
            ("Ａｎｎａ　Ｒｏｓｓｉ", "Anna Rossi"),
            ("ﬁona", "Fiona"),
            ("Ame\u{301}lie", "AM\u{c9}LIE"),
            ("Groß", "GROSS"),
            ("Bob “Ace” Hill", "Bob \"Ace\" Hill"),
        ] {
            assert_eq!(spelled(one), spelled(other), "{one} {other}");
        }
        for (one, other) in [("Rossi", "Róssi"), ("Anna", "Anne"), ("Player 1", "Player 11"), ("-", "'")] {
            assert_ne!(spelled(one), spelled(other), "{one} {other}");
        }
    }

    #[test]
    fn an_exact_name_or_nickname_comes_first_then_one_spelled_alike_then_one_that_is_near() {
        let club = club(&[
            ("Beatrice Nardi", Some("Bea")),
            ("Seán O’Brien", None),
            ("Ann Marie", None),
            ("Annmarie", None),
            ("Jürgen Müller", None),
            ("Jean-Luc Picard", Some("J.L.")),
        ]);
        let one = |number| NameMatch::Player(player(number));
        let near = |number| NameMatch::Near(player(number));
        for (typed, meant) in [
            ("beatrice  nardi", one(0)),
            ("BEA", one(0)),
            ("Beatrice Nardi (Bea)", one(0)),
            ("Seán O'Brien", one(1)),
            ("Ann Marie", one(2)),
            ("AnnMarie", one(3)),
            ("Ann-Marie", NameMatch::Several([player(2), player(3)].into())),
            ("Sean OBrien", near(1)),
            ("Nardi, Beatrice", near(0)),
            ("Juergen Mueller", near(4)),
            ("Muller Jurgen", near(4)),
            ("jean luc picard", one(5)),
            ("JL", one(5)),
            ("Beatrise Nardi", near(0)),
            ("Beatirce Nardi", near(0)),
            ("Beatrce Nardi", near(0)),
            ("Beattrice Nardi", near(0)),
            ("Beatrice Narda", NameMatch::Nobody),
            ("Beatrice", NameMatch::Nobody),
            ("Zoe", NameMatch::Nobody),
            ("...", NameMatch::Nobody),
        ] {
            assert_eq!(club.meant(typed), meant, "{typed}");
        }
    }

    #[test]
    fn a_name_that_is_anothers_nickname_is_nobodys_until_one_of_them_is_called_otherwise() {
        let club = club(&[
            ("Beatrice Nardi", Some("Bea")),
            ("Bea", None),
            ("Luigi", Some("Gigi")),
            ("Gina", Some("gigi")),
        ]);
        let both = |one, other| BTreeSet::from([player(one), player(other)]);
        assert_eq!(club.meant("Bea"), NameMatch::Several(both(0, 1)));
        assert_eq!(club.meant("bea."), NameMatch::Several(both(0, 1)));
        assert_eq!(club.meant("Gigi"), NameMatch::Several(both(2, 3)));
        assert_eq!(club.clashes(), BTreeSet::from([&both(0, 1), &both(2, 3)]));
        assert_eq!(club.others_called("B-E-A", &[player(0)]), Some(player(1)));
        assert_eq!(club.others_called("Bea", &[player(0), player(1)]), None);
    }

    #[test]
    fn two_near_names_are_no_proposal_and_whoever_is_gone_is_found_by_the_full_name_alone() {
        let mut club = club(&[("Martina Rossi", None), ("Martino Rossi", None), ("Player 1001", None)]);
        club.add_gone(player(9), "Old Mario");
        assert_eq!(club.meant("Martine Rossi"), NameMatch::Several([player(0), player(1)].into()));
        assert_eq!(club.meant("old mario"), NameMatch::Player(player(9)));
        assert_eq!(club.meant("Mario Old"), NameMatch::Nobody);
        assert_eq!(club.meant("Player 1002"), NameMatch::Nobody, "another number is another player");
    }

    #[test]
    fn a_search_finds_parts_of_names_however_they_are_typed() {
        for (name, typed) in [
            ("Seán O’Brien", "o'brien"),
            ("Seán O’Brien", "O Brien"),
            ("Seán O’Brien", "OBRI"),
            ("Jean-Luc Picard", "jean luc"),
            ("Jean-Luc Picard", "jeanluc"),
            ("J. R. Smith", "jr smith"),
            ("Deluca", "de luca"),
            ("Jürgen Müller", "mueller"),
            ("Jürgen Müller", "muller"),
            ("Søren Ægir", "aegir"),
            ("Anna", ""),
        ] {
            assert!(Search::new(typed).finds(name), "{typed} in {name}");
        }
        assert!(!Search::new("anna").finds("Ian Nadel"), "words end where they end");
        assert!(!Search::new("blue").finds("Blum"));
        assert_eq!(Search::new("luc").place_in("Jean-Luc"), Some(5));
    }

    /// A long list is looked at name by name while its new people are added: what is needed for that is made
    /// once.
    #[test]
    fn new_people_are_near_at_once_without_a_look_at_all_others() {
        let mut club = club(&[("Martin Müller", None)]);
        assert_eq!(club.meant("Martina Müller"), NameMatch::Near(player(0)));
        for number in 1..50 {
            club.add(player(number), &format!("Member {number}"), Some(&format!("Nickname {number}")));
            assert!(club.slips.get().is_some(), "it is not made again for {number}");
        }
        club.add(player(50), "Beatrice Nardi", Some("Trixie"));
        assert_eq!(club.meant("Beatrise Nardi"), NameMatch::Near(player(50)));
        assert_eq!(club.meant("Trixi"), NameMatch::Near(player(50)));
        assert_eq!(club.meant("Martin Mulle"), NameMatch::Near(player(0)));
        assert_eq!(
            (club.meant("Martim Muller"), club.meant("Beatrice Nard")),
            (NameMatch::Near(player(0)), NameMatch::Nobody)
        );
        assert_eq!(club.alike("Beatrice Nard"), [player(50)].into());
        assert_eq!((club.alike("Trixi"), club.alike("Member 3")), ([].into(), [].into()));
    }

    proptest! {
        #[test]
        fn everybody_is_meant_by_their_own_name_and_a_name_once_spelled_stays(
            names in prop::collection::btree_set("[a-zA-Zäé '.-]{1,14}", 1..12)
        ) {
            let mut club = NameIndex::default();
            let mut keys = BTreeSet::new();
            let names: Vec<&String> =
                names.iter().filter(|name| !name.trim().is_empty() && keys.insert(folded(name.trim()))).collect();
            for (number, name) in names.iter().enumerate() {
                club.add(player(number), name.split_whitespace().collect::<Vec<_>>().join(" ").as_str(), None);
            }
            for (number, name) in names.iter().enumerate() {
                let meant = club.meant(name);
                prop_assert!(meant.candidates().any(|one| one == player(number)), "{} {:?}", name, meant);
                prop_assert_eq!(spelled(&spelled(name)), spelled(name));
            }
        }
    }
}
