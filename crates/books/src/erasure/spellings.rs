//! How free text may spell somebody's name: its words in any order, hyphenated, underscored, run together, in
//! full width, with initials. And what is near enough to a name for somebody to look at.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use owlbox_base::text::sought;

/// The most words of a name that are looked for in every order.
const MOST_WORDS: usize = 5;
/// The fewest letters by which a word alone tells anything.
const FEWEST_LETTERS: usize = 3;
/// The fewest letters of words that run together: the pseudonym has fewer before its number.
const FEWEST_TOGETHER: usize = 4;
/// The most characters between two words of a name.
const APART: usize = 3;

/// The names of one person.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The words of each name, in every order, run together.
    together: BTreeSet<String>,
    /// Ways to write a name with initials, word by word.
    initialled: BTreeSet<Vec<String>>,
    /// The initials of each name, run together.
    initials: BTreeSet<String>,
    /// The words by which somebody may be meant.
    words: BTreeSet<String>,
    /// The most words that a spelling is written with.
    most: usize,
}

/// A word of a text.
struct Word<'t> {
    from: usize,
    until: usize,
    written: &'t str,
    plain: String,
}

impl Word<'_> {
    /// Whether it may stand for the beginning of a name: `a` before a name is a word of Italian.
    fn is_capital(&self) -> bool {
        self.written.chars().all(|letter| !letter.is_lowercase())
    }
}

impl Names {
    pub(super) fn of<'s>(spellings: impl IntoIterator<Item = &'s str>) -> Self {
        let mut names = Self::default();
        for spelling in spellings {
            let words: Vec<String> = words(spelling).into_iter().map(|word| word.plain).collect();
            names.add(&words);
        }
        names
    }

    fn add(&mut self, words: &[String]) {
        let letters = |word: &String| word.chars().count();
        self.words.extend(words.iter().filter(|word| letters(word) >= FEWEST_LETTERS).cloned());
        self.most = self.most.max(words.len() + 2);
        let together = orders(words).into_iter().map(|order| order.concat());
        self.together.extend(together.filter(|all| letters(all) >= FEWEST_TOGETHER));
        if words.len() < 2 {
            return;
        }
        let initial = |word: &String| word.chars().take(1).collect::<String>();
        self.initials.insert(words.iter().map(initial).collect());
        for (place, word) in words.iter().enumerate().filter(|(_, word)| letters(word) >= FEWEST_LETTERS) {
            let others = words.iter().enumerate().filter(|(other, _)| *other != place);
            let others: Vec<String> = others.map(|(_, other)| initial(other)).collect();
            let mut shortened = vec![others.clone(), vec![others.concat()]];
            if place + 1 == words.len() {
                shortened.push(others.iter().take(1).cloned().collect());
            }
            for short in shortened {
                self.initialled.insert([&short[..], std::slice::from_ref(word)].concat());
                self.initialled.insert([std::slice::from_ref(word), &short[..]].concat());
            }
        }
    }

    /// The text with `by` wherever it spells a name; `None` if it spells none.
    pub(super) fn replaced(&self, text: &str, by: &str) -> Option<String> {
        let words = words(text);
        let (mut made, mut kept, mut at) = (String::new(), 0, 0);
        while let Some(first) = words.get(at) {
            let Some(run) = self.spelled(text, words.get(at..).unwrap_or_default()) else {
                at += 1;
                continue;
            };
            let last = words.get(at + run - 1).unwrap_or(first);
            made.push_str(text.get(kept..first.from)?);
            made.push_str(by);
            (kept, at) = (last.until, at + run);
        }
        made.push_str(text.get(kept..)?);
        (kept > 0).then_some(made)
    }

    /// With how many of these words, from the first on, a name is spelled.
    fn spelled(&self, text: &str, words: &[Word<'_>]) -> Option<usize> {
        let mut beside = 1;
        for pair in words.windows(2).take(self.most) {
            let [one, next] = pair else { break };
            let between = text.get(one.until..next.from).unwrap_or_default();
            if between.contains('\n') || between.chars().count() > APART {
                break;
            }
            beside += 1;
        }
        (1..=self.most.min(beside)).rev().find(|many| {
            let run = words.get(..*many).unwrap_or_default();
            let plain: Vec<String> = run.iter().map(|word| word.plain.clone()).collect();
            let is_short = |word: &Word<'_>| !self.words.contains(&word.plain);
            self.together.contains(&plain.concat())
                || self.initialled.contains(&plain)
                    && run.iter().filter(|word| is_short(word)).all(Word::is_capital)
        })
    }

    /// Whether the text has something in it that may well mean the person: a word of their name, or one that
    /// is nearly so.
    pub(super) fn is_near(&self, text: &str) -> bool {
        let words = words(text);
        let near = |word: &Word<'_>| {
            let is_initials = word.is_capital() && self.initials.contains(&word.plain);
            is_initials || self.words.iter().any(|name| is_near(&word.plain, name))
        };
        let apart = |run: &[Word<'_>]| {
            let written: String = run.iter().map(|word| word.plain.as_str()).collect();
            run.iter().all(|word| word.plain.chars().count() == 1 && word.is_capital())
                && self.initials.contains(&written)
        };
        words.iter().any(near) || (2..=MOST_WORDS).any(|many| words.windows(many).any(apart))
    }
}

/// Whether a word is one of a name, contains it, or differs from it by a letter.
fn is_near(word: &str, name: &str) -> bool {
    let [word_letters, name_letters] = [word, name].map(|text| text.chars().count());
    if name_letters <= FEWEST_LETTERS {
        return word.starts_with(name) && word_letters <= name_letters + 2;
    }
    word.contains(name) || name_letters > FEWEST_TOGETHER && differs_by_a_letter(word, name)
}

/// Whether one becomes the other when a letter is changed, added or left out.
fn differs_by_a_letter(one: &str, other: &str) -> bool {
    let [one, other]: [Vec<char>; 2] = [one, other].map(|text| text.chars().collect());
    if one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let alike = |one: &mut dyn Iterator<Item = &char>, other: &mut dyn Iterator<Item = &char>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let begun = alike(&mut one.iter(), &mut other.iter());
    let ended = alike(&mut one.iter().rev(), &mut other.iter().rev());
    begun + ended + 1 >= one.len().max(other.len())
}

/// The words of a text: runs of letters and digits.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut begun = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_inner = character.is_alphanumeric() || begun.is_some() && is_combining_mark(character);
        match (begun, is_inner) {
            (None, true) => begun = Some(at),
            (Some(from), false) => {
                begun = None;
                let written = text.get(from..at).unwrap_or_default();
                let plain = sought(&written.nfkc().collect::<String>());
                words.push(Word { from, until: at, written, plain });
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    words
}

/// These words in every order; of many, as they are and with the last one first.
fn orders(words: &[String]) -> Vec<Vec<String>> {
    if words.len() > MOST_WORDS {
        let mut turned = words.to_vec();
        turned.rotate_right(1);
        return vec![words.to_vec(), turned];
    }
    let Some((first, rest)) = words.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut order = order.clone();
            order.insert(place, first.clone());
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::of(["Zebedeo Quuxley", "Zeb"])
    }

    #[test]
    fn s9_a_name_is_found_in_any_order_and_spelling() {
        for spelled in [
            "Quuxley, Zebedeo",
            "Quuxley Zebedeo",
            "Zebedeo_Quuxley",
            "zebedeo-quuxley",
            "ZebedeoQuuxley",
            "quuxleyzebedeo",
            "ZEBEDEO.QUUXLEY",
            "Zebedeo  (Quuxley",
            "\u{ff3a}\u{ff45}\u{ff42}\u{ff45}\u{ff44}\u{ff45}\u{ff4f} \u{ff31}\u{ff55}\u{ff55}\u{ff58}\u{ff4c}\u{ff45}\u{ff59}",
            "Z. Quuxley",
            "Quuxley Z",
            "Zebedeo Q",
            "Zebedéo Quùxley",
        ] {
            assert_eq!(
                names().replaced(&format!("for {spelled}, twice"), "N.N.").as_deref(),
                Some("for N.N., twice"),
                "{spelled}"
            );
        }
        let more = Names::of(["Maria Luisa von Rossi"]);
        for spelled in
            ["Rossi, Maria Luisa von", "von Rossi Maria-Luisa", "M. L. V. Rossi", "M. Rossi", "MLV Rossi"]
        {
            assert_eq!(more.replaced(spelled, "N.N.").as_deref(), Some("N.N."), "{spelled}");
        }
    }

    #[test]
    fn s9_what_is_only_near_a_name_stays_and_is_told() {
        for near in [
            "Zebedeo pays",
            "for Quuxleys taxi",
            "the Quuxley brothers",
            "Qxuxley",
            "zebedeos",
            "Z.Q.",
            "ZQ",
            "Zebs",
            "a q zebedeoquux",
        ] {
            assert_eq!(names().replaced(near, "N.N."), None, "{near}");
            assert!(names().is_near(near), "{near}");
        }
        for other in
            ["a taxi", "z q", "Zen", "Zebras", "Zebulonic crossing", "", "N.N. 3f9c2a71", "zq", "Quux"]
        {
            assert!(names().replaced(other, "N.N.").is_none() && !names().is_near(other), "{other}");
        }
        assert_eq!(Names::of(["Ada Rossi"]).replaced("pagato a Rossi", "N.N."), None, "a preposition");
        assert!(Names::of(["", " ", "-", "N", "N N"]).replaced("N.N. 3f9c2a71 N", "x").is_none());
        let long = Names::of(["a b c d e f g hhh"]);
        assert_eq!(long.replaced("hhh a b c d e f g", "N.N.").as_deref(), Some("N.N."));
    }
}
