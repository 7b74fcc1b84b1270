//! Names as parts of account names and as text, where each program forbids something else.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Text on one line, with single spaces and no control characters.
pub(super) fn on_one_line(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of an account name where spaces are allowed (hledger, GnuCash), with a space at its end
/// unless it is empty. A colon would begin a sub-account, a semicolon a comment, and a quote could end a
/// field; what a spreadsheet takes for the beginning of a formula is left out.
pub(super) fn spaced(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| match c {
            ':' => '-',
            ';' => ',',
            '"' => '\'',
            '\\' | '|' => '/',
            other if other.is_control() => ' ',
            other => other,
        })
        .collect();
    let kept = on_one_line(&kept);
    let kept = kept.trim_start_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    if kept.is_empty() { String::new() } else { format!("{kept} ") }
}

/// The beginning of an account name for Beancount, with a hyphen at its end: letters, digits and single
/// hyphens, the first of them a capital letter or a digit. `X` stands for a name of which nothing is left, as
/// a code may begin with a small letter.
pub(super) fn hyphenated(name: &str) -> String {
    let mut kept = String::new();
    // Composed, as a letter with its accent is one letter.
    for c in name.nfc() {
        if c == '\'' || c == '\u{2019}' {
            // O'Neil is one word.
        } else if is_letter(c) || c.is_ascii_digit() {
            kept.push(c);
        } else if !kept.is_empty() && !kept.ends_with('-') {
            kept.push('-');
        }
    }
    let kept = kept.trim_end_matches('-');
    let mut letters = kept.chars();
    let Some(first) = letters.next() else { return "X-".to_owned() };
    let mut capital = first.to_uppercase();
    match (capital.next(), capital.next()) {
        _ if first.is_ascii_digit() => format!("{kept}-"),
        (Some(capital), None) if capital.is_uppercase() && is_letter(capital) => {
            format!("{capital}{}-", letters.as_str())
        }
        // A script without capitals, or a letter whose capital is two.
        (_, _) => format!("X{kept}-"),
    }
}

/// Whether Beancount takes this for a letter: those of the scripts that names are written in. (It goes by the
/// Unicode category, which has an edition of its own there.)
fn is_letter(c: char) -> bool {
    let script = matches!(c,
        'A'..='Z' | 'a'..='z'
        | '\u{c0}'..='\u{24f}' // Latin
        | '\u{386}'..='\u{3ff}' // Greek
        | '\u{400}'..='\u{52f}' // Cyrillic
        | '\u{531}'..='\u{587}' // Armenian
        | '\u{5d0}'..='\u{5ea}' // Hebrew
        | '\u{620}'..='\u{64a}' // Arabic
        | '\u{10d0}'..='\u{10fa}' // Georgian
        | '\u{e01}'..='\u{e30}' // Thai
        | '\u{1e00}'..='\u{1fbc}' // Latin and Greek with more accents
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' // Kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' // Chinese characters
        | '\u{ac00}'..='\u{d7a3}' // Hangul
    );
    script && c.is_alphabetic() && !is_combining_mark(c)
}
