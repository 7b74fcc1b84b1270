//! A list of entrants as people have it: typed, or copied from a chat, a mail or a sheet.
//!
//! Lines with tabs, semicolons, commas on every line or wide gaps are rows of a table, with or without a line
//! of headings. Which column holds what is read from the headings, else guessed from what stands there, and
//! the reader of the list may say otherwise. Numbers and bullets before a name, and addresses behind it, are
//! taken off; `Keller, Max` is Max Keller.
//!
//! Nothing of this is certain: a list that [is plain](PastedList::is_plain) may be entered at once, any other
//! is shown first.

use csv::{ReaderBuilder, StringRecord};
use strum::{Display, EnumString, VariantArray};

use owlbox_base::text::sought;

/// The most columns that are read.
const MOST_COLUMNS: usize = 16;
/// What stands in a name now and then, and more often beside one.
const DOUBTFUL: [char; 14] = [',', ';', ':', '@', '<', '>', '(', ')', '[', ']', '|', '/', '\\', '='];
/// What ticks somebody off.
const TICKS: [char; 8] = ['✅', '✔', '✓', '☑', '☐', '👍', '🙋', '\u{fe0f}'];
/// What makes a digit a key.
const KEYCAP: [char; 2] = ['\u{fe0f}', '\u{20e3}'];
/// What may follow the comma of a name that is not turned round.
const AFTER_A_NAME: [&str; 6] = ["jr", "sr", "ii", "iii", "iv", "phd"];

/// What a column of a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "they say what they hold")]
pub enum Column {
    Name,
    FirstName,
    LastName,
    Club,
    Country,
    Rating,
    /// What no entry has: a number, an address, a remark.
    Nothing,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from 1, with the empty ones.
    pub number: usize,
    /// What stands in each column.
    pub cells: Vec<String>,
    /// The name as it stands there, without what was put before or behind it.
    pub written: String,
    /// The name in its usual order. Empty if there is none.
    pub name: String,
    pub club: String,
    pub country: String,
    /// Whether the name may be something else: it was turned round, or has what names seldom have.
    pub is_doubtful: bool,
}

/// A list that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedList {
    pub columns: Vec<Column>,
    pub lines: Vec<Line>,
    /// Whether its lines are names and nothing else.
    pub is_plain: bool,
}

impl Column {
    /// What people call it, in the languages of the pages, as [`sought`] has it.
    const fn called(self) -> &'static str {
        match self {
            Self::Name => {
                "name|names|full name|player|players|entrant|entrants|participant|participants|member|\
                 spieler|spielerin|spieler/in|spielername|teilnehmer|teilnehmerin|teilnehmende|\
                 anmeldungen|mitglied|vorname name|name vorname|name, vorname|vor- und nachname|\
                 vorname und name|joueur|joueurs|joueuse|nom|nom prenom|prenom nom|nom et prenom|inscrits|\
                 membre|giocatore|giocatori|giocatrice|nome|nome e cognome|cognome e nome|nome cognome|\
                 cognome nome|nominativo|iscritti|partecipante|partecipanti|socio"
            }
            Self::FirstName => "first name|firstname|given name|forename|vorname|rufname|prenom",
            Self::LastName => {
                "last name|lastname|surname|family name|nachname|familienname|zuname|nom de famille|\
                 cognome"
            }
            Self::Club => {
                "club|home club|verein|heimclub|klub|societe|cercle|association|circolo|societa|\
                 associazione"
            }
            Self::Country => {
                "country|nation|nationality|nat|land|nationalitat|pays|nationalite|paese|nazione|\
                 nazionalita"
            }
            Self::Rating => "rating|elo|elo rating|wertung|wertungszahl|elozahl|classement|cote|punteggio",
            Self::Nothing => {
                "nr|no|n°|nº|#|num|number|nummer|numero|pos|position|rang|rank|platz|lfd nr|start nr|\
                 startnr|startnummer|id|mail|e-mail|email|courriel|phone|telefon|telephone|telefono|handy"
            }
        }
    }

    fn headed(heading: &str) -> Option<Self> {
        let heading = sought(heading.trim().trim_end_matches(['.', ':']).replace(". ", " ").trim());
        Self::VARIANTS.iter().find(|column| column.called().split('|').any(|known| known == heading)).copied()
    }
}

impl PastedList {
    /// Reads a list. `said` are its columns if its reader has said what they hold; else it is found out.
    #[must_use]
    pub fn read(text: &str, said: &[Column]) -> Self {
        let lines = lines_of(text);
        let names = names_of_a_line(&lines);
        let separator = if names.is_some() { Separator::None } else { Separator::of(&lines) };
        let mut is_plain = separator == Separator::None && names.is_none();
        let lines = names.unwrap_or(lines);
        let mut rows: Vec<(usize, Vec<String>)> =
            lines.into_iter().map(|(number, line)| (number, separator.cells(&line))).collect();
        if rows.len() > 1 && rows.first().is_some_and(|(_, cells)| is_title(cells)) {
            rows.remove(0);
            is_plain = false;
        }
        let headings = rows.first().filter(|_| rows.len() > 1).and_then(|(_, cells)| headings(cells));
        if headings.is_some() {
            rows.remove(0);
            is_plain = false;
        }
        let width = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(1);
        let mut columns = if said.len() == width {
            said.to_vec()
        } else {
            headings.unwrap_or_else(|| guessed(&rows, width, separator))
        };
        columns.resize(width, Column::Nothing);
        let numbered = rows.len() > 1 && rows.iter().all(|(_, cells)| is_numbered(cells, &columns));
        let lines = rows.into_iter().map(|(number, cells)| line(number, cells, &columns, numbered)).collect();
        Self { columns, lines, is_plain }
    }
}

/// The lines with something in them, each with its number. Addresses of a mail that share a line are lines of
/// their own.
fn lines_of(text: &str) -> Vec<(usize, String)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines().map(str::trim_end)).filter(|(_, line)| !line.is_empty());
    let apart = |(number, line): (usize, &str)| {
        let addresses = line.replace(">,", ">\n").replace(">;", ">\n");
        let several = addresses.lines().filter(|part| part.contains('@')).count() > 1;
        let parts = if several { addresses } else { line.to_owned() };
        parts.lines().map(|part| (number, part.to_owned())).collect::<Vec<_>>()
    };
    lines.flat_map(apart).collect()
}

/// The names in a single line that has nothing else: three or more.
fn names_of_a_line(lines: &[(usize, String)]) -> Option<Vec<(usize, String)>> {
    let [(number, line)] = lines else { return None };
    let names: Vec<&str> = line.split([',', ';']).map(str::trim).collect();
    let are_names = names.len() > 2 && names.iter().all(|name| may_be_a_name(name));
    are_names.then(|| names.into_iter().map(|name| (*number, name.to_owned())).collect())
}

/// Whether it stands above a list, as `Anmeldungen bis Freitag:`.
fn is_title(cells: &[String]) -> bool {
    matches!(cells, [title] if title.ends_with(':'))
}

/// Whether it has letters and no digits, and no word of capitals, as countries and clubs have.
fn may_be_a_name(text: &str) -> bool {
    let is_short_form =
        |word: &str| word.chars().count() > 1 && word.chars().all(char::is_uppercase) && !word.contains('.');
    text.contains(char::is_alphabetic)
        && !text.contains(|letter: char| letter.is_numeric() || letter == '@')
        && !text.split_whitespace().any(is_short_form)
}

/// What separates the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// Each line is one cell.
    None,
    /// Two blanks or more.
    Gap,
    Character(u8),
}

impl Separator {
    fn of(lines: &[(usize, String)]) -> Self {
        let any = |separator: char| lines.iter().any(|(_, line)| line.trim().contains(separator));
        let commas = |line: &str| Self::Character(b',').cells(line).len().saturating_sub(1);
        let is_table = lines.len() > 1 && lines.iter().all(|(_, line)| commas(line) > 0);
        if any('\t') {
            Self::Character(b'\t')
        } else if any(';') {
            Self::Character(b';')
        } else if is_table || lines.iter().any(|(_, line)| commas(line) > 1) {
            Self::Character(b',')
        } else if lines.len() > 1 && lines.iter().all(|(_, line)| line.trim().contains("  ")) {
            Self::Gap
        } else {
            Self::None
        }
    }

    fn cells(self, line: &str) -> Vec<String> {
        match self {
            Self::None => vec![line.trim().to_owned()],
            Self::Gap => line
                .trim()
                .split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_owned)
                .collect(),
            Self::Character(separator) => {
                let mut row = StringRecord::new();
                let mut reader = ReaderBuilder::new()
                    .delimiter(separator)
                    .has_headers(false)
                    .trim(csv::Trim::All)
                    .from_reader(line.as_bytes());
                // The line is in memory and in UTF-8: nothing is left that could fail.
                if !reader.read_record(&mut row).unwrap_or(false) {
                    return vec![line.trim().to_owned()];
                }
                row.iter().take(MOST_COLUMNS).map(str::to_owned).collect()
            }
        }
    }
}

/// The columns that the first line names; `None` if it is no line of headings.
fn headings(cells: &[String]) -> Option<Vec<Column>> {
    let columns: Vec<Option<Column>> = cells.iter().map(|cell| Column::headed(cell)).collect();
    let has = |column| columns.contains(&Some(column));
    // `Name` beside a first name is the last one, and beside a last name the first.
    let name = match (has(Column::FirstName), has(Column::LastName)) {
        (true, false) => Column::LastName,
        (false, true) => Column::FirstName,
        (true, true) => Column::Nothing,
        (false, false) if has(Column::Name) => Column::Name,
        (false, false) => return None,
    };
    let of = |column: &Option<Column>| match column {
        Some(Column::Name) => name,
        column => column.unwrap_or(Column::Nothing),
    };
    Some(columns.iter().map(of).collect())
}

/// What the columns seem to hold: the first with words the name, the second with words the club, capitals or
/// flags a country, and a number behind the name the rating. Two columns of one word each are two parts of a
/// name.
fn guessed(rows: &[(usize, Vec<String>)], width: usize, separator: Separator) -> Vec<Column> {
    let filled = |at: usize| {
        let cells = rows.iter().filter_map(move |(_, cells)| cells.get(at));
        cells.map(String::as_str).filter(|cell| !cell.is_empty())
    };
    let most = |at: usize, is: fn(&str) -> bool| {
        let (is, all) = (filled(at).filter(|cell| is(cell)).count(), filled(at).count());
        2 * is > all
    };
    let mut columns = vec![Column::Nothing; width];
    let mut set = |at: usize, column| {
        if let Some(slot) = columns.get_mut(at) {
            *slot = column;
        }
    };
    let mut texts: Vec<usize> = (0..width).filter(|at| most(*at, has_words)).collect();
    let Some(name) = (!texts.is_empty()).then(|| texts.remove(0)) else { return columns };
    set(name, Column::Name);
    if let Some(country) = texts.iter().position(|at| most(*at, is_country)) {
        set(texts.remove(country), Column::Country);
    }
    if let Some(second) = texts.first().copied() {
        let pairs = || {
            let pair = |(_, cells): &(usize, Vec<String>)| {
                Some([cells.get(name)?, cells.get(second)?].map(|cell| words(cell)))
            };
            rows.iter().filter_map(pair).filter(|pair| !pair.contains(&0))
        };
        let is_split = 2 * pairs().filter(|pair| *pair == [1, 1]).count() > pairs().count();
        if is_split {
            texts.remove(0);
            let [one, other] = match separator {
                Separator::Character(b',') => [Column::LastName, Column::FirstName],
                Separator::None | Separator::Gap | Separator::Character(_) => {
                    [Column::FirstName, Column::LastName]
                }
            };
            set(name, one);
            set(second, other);
        }
    }
    if let Some(club) = texts.first() {
        set(*club, Column::Club);
    }
    if let Some(rating) = (name + 1..width).find(|at| most(*at, is_rating)) {
        set(rating, Column::Rating);
    }
    columns
}

fn is_number(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || "#.,)'’ ".contains(letter))
}

/// Whether it is a number as ratings are: of three digits or more.
fn is_rating(text: &str) -> bool {
    let whole = text.split(['.', ',']).next().unwrap_or_default();
    is_number(text) && whole.chars().filter(char::is_ascii_digit).count() > 2
}

fn has_words(text: &str) -> bool {
    is_country(text) || without_addresses(text).contains(char::is_alphabetic)
}

/// A country by its capitals, or by its flag.
fn is_country(text: &str) -> bool {
    country(text).len() == 2 || (text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase()))
}

/// The two capitals of a country, also if they are drawn as its flag; else the text.
fn country(text: &str) -> String {
    let capital = |letter: char| match letter {
        '\u{1f1e6}'..='\u{1f1ff}' => {
            let at = u32::from(letter).checked_sub(0x1_f1e6)?;
            char::from_u32(at.saturating_add(u32::from('A')))
        }
        'A'..='Z' => Some(letter),
        _ => None,
    };
    let capitals: Option<String> = text.trim().chars().map(capital).collect();
    capitals.filter(|capitals| capitals.len() == 2).unwrap_or_else(|| text.to_owned())
}

/// How many words of a name it has: `von` and the like are none of their own.
fn words(text: &str) -> usize {
    let begins_small = |word: &&str| !word.starts_with(char::is_lowercase);
    match text.split_whitespace().count() {
        1 => 1,
        _ => text.split_whitespace().filter(begins_small).count(),
    }
}

/// Whether a line begins with a number and a blank, in the column of its name.
fn is_numbered(cells: &[String], columns: &[Column]) -> bool {
    let name = cells.iter().zip(columns).find(|(_, column)| **column != Column::Nothing);
    let rest = name.map(|(cell, _)| cell.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    name.zip(rest).is_some_and(|((cell, _), rest)| rest.len() < cell.len() && rest.starts_with(' '))
}

/// A name without the number or bullet before it (`3. Kurt Weil`, `- Kurt Weil`) and the ticks around it.
fn unnumbered(cell: &str, numbered: bool) -> &str {
    let cell = cell.trim();
    let bare = cell.trim_start_matches('#');
    let behind = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = behind.trim_start_matches(KEYCAP);
    let has_number = behind.len() < bare.len();
    let is_certain = numbered || bare.len() < cell.len() || rest.len() < behind.len();
    let named = match rest.strip_prefix(['.', ')', ':']) {
        Some(rest) if has_number => rest,
        None if has_number && is_certain && !rest.is_empty() => rest,
        Some(_) | None => cell,
    };
    let named = named.trim_start();
    let bulleted = named.strip_prefix(['-', '*', '•', '–', '—', '·', '‣', '◦', '▪', '●']).unwrap_or(named);
    bulleted.trim_matches(|letter: char| letter.is_whitespace() || TICKS.contains(&letter))
}

fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| "<>()[],;:".contains(letter));
    word.split_once('@').is_some_and(|(who, host)| !who.is_empty() && host.contains('.'))
}

/// A text without addresses of mails, and without the quotation marks that a mail puts around a name beside
/// one.
fn without_addresses(text: &str) -> String {
    if !text.contains('@') {
        return text.to_owned();
    }
    let apart = text.replace('<', " <");
    let words: Vec<&str> = apart.split_whitespace().filter(|word| !is_address(word)).collect();
    words.join(" ").trim_matches('"').to_owned()
}

/// A name in its usual order: `Keller, Max` is Max Keller.
fn turned(name: &str) -> Option<String> {
    let (last, first) = name.split_once(',')?;
    let (last, first) = (last.trim(), first.trim());
    let is_behind = AFTER_A_NAME.contains(&sought(first).trim_end_matches('.'));
    let is_name = !last.is_empty() && !first.is_empty() && !first.contains(',') && !is_behind;
    is_name.then(|| format!("{first} {last}"))
}

fn line(number: usize, mut cells: Vec<String>, columns: &[Column], numbered: bool) -> Line {
    cells.resize(columns.len(), String::new());
    let of = |wanted: Column| {
        let found = cells.iter().zip(columns).find(|(_, column)| **column == wanted);
        found.map(|(cell, _)| cell.as_str()).unwrap_or_default()
    };
    let parts = [Column::Name, Column::FirstName, Column::LastName].map(of);
    let with_addresses = parts.iter().any(|part| part.contains('@'));
    let parts = parts.map(|part| unnumbered(&without_addresses(part), numbered).to_owned());
    let written = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    Line {
        number,
        name: turned(&written).unwrap_or_else(|| written.clone()),
        club: of(Column::Club).to_owned(),
        country: country(of(Column::Country)),
        is_doubtful: with_addresses || written.is_empty() || written.contains(DOUBTFUL),
        written,
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::Column::{Club, Country, FirstName, LastName, Name, Nothing, Rating};
    use super::*;

    #[track_caller]
    fn reads(text: &str, columns: &[Column], names: &[&str]) -> PastedList {
        let list = PastedList::read(text, &[]);
        assert_eq!(list.columns, columns, "{text}");
        assert_eq!(list.lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), names, "{text}");
        list
    }

    #[test]
    fn t5_a_sheet_has_columns_and_headings_in_four_languages() {
        let columns = [Nothing, Name, Club, Rating];
        let list =
            reads("Nr\tName\tClub\tRating\n1\tIvo Keller\tBG Zürich\t1712\n", &columns, &["Ivo Keller"]);
        assert!(!list.is_plain);
        assert_eq!((list.lines[0].number, list.lines[0].club.as_str()), (2, "BG Zürich"));
        for headings in [
            "Pos.;Player;Country;Rating;Phone",
            "Nr.;Spieler;Land;Wertung;Telefon",
            "N°;Joueur;Pays;Classement;Téléphone",
            "Num;Giocatore;Nazione;Punteggio;Telefono",
        ] {
            let text = format!("Anmeldungen bis Freitag:\n{headings}\n1;Ivo Keller;🇨🇭;1712;079\n");
            let list = reads(&text, &[Nothing, Name, Country, Rating, Nothing], &["Ivo Keller"]);
            assert_eq!(list.lines[0].country, "CH");
        }
        for (text, columns) in [
            ("Name,Vorname\nKeller,Max", [LastName, FirstName]),
            ("Nom;Prénom\nKeller;Max", [LastName, FirstName]),
            ("Nome;Cognome\nMax;Keller", [FirstName, LastName]),
            ("First name\tSurname\nMax\tKeller", [FirstName, LastName]),
        ] {
            reads(text, &columns, &["Max Keller"]);
        }
    }

    #[test]
    fn t5_columns_without_headings_are_seen_by_what_stands_in_them() {
        reads("Keller, Max;BG Basel;1500", &[Name, Club, Rating], &["Max Keller"]);
        reads(
            "1\tIvo Keller\tCH\t1650.5\n2\tLea Frei\tFR\t",
            &[Nothing, Name, Country, Rating],
            &["Ivo Keller", "Lea Frei"],
        );
        reads(
            "31\tJohn Smith\n32.\tKurt\tWeil\t1650.5\n#33\tZoë\t",
            &[Nothing, FirstName, LastName, Rating],
            &["John Smith", "Kurt Weil", "Zoë"],
        );
        reads("Keller, Max\nvon Arx, Lea", &[LastName, FirstName], &["Max Keller", "Lea von Arx"]);
        reads("Max Keller, Basel\nLea Frei, Bern", &[Name, Club], &["Max Keller", "Lea Frei"]);
        reads(
            "\"Keller, Max\",BG Basel,1500\nLea Frei,,1400",
            &[Name, Club, Rating],
            &["Max Keller", "Lea Frei"],
        );
        reads(
            "Ivo Keller   BG Zürich   1712\nLea Frei    BC Bern   1500",
            &[Name, Club, Rating],
            &["Ivo Keller", "Lea Frei"],
        );
        let said = PastedList::read("Keller, Max\nFrei, Lea", &[Name, Nothing]);
        assert_eq!(said.lines[1].name, "Frei", "its reader knows better");
    }

    #[test]
    fn t5_numbers_bullets_ticks_and_addresses_are_no_part_of_a_name() {
        let text = "1. Anna Rossi\n2) Bea ✅\n- Cleo\n• Dino\n#5 Elio\n6️⃣ Fia\nPlayer 7\n8.Gino\n\n";
        let names = ["Anna Rossi", "Bea", "Cleo", "Dino", "Elio", "Fia", "Player 7", "Gino"];
        let list = reads(text, &[Name], &names);
        assert!(list.is_plain && list.lines.iter().all(|line| !line.is_doubtful), "{list:?}");
        reads("1 Anna\n2 Bea\n10 - Cleo", &[Name], &["Anna", "Bea", "Cleo"]);
        let mails = "Lea Frei <lea@frei.ch>\nMax Keller<max@keller.ch>\n\"Rossi, Anna\" <a@r.it>\nDino d@x.org\ne@x.org";
        let list = reads(mails, &[Name], &["Lea Frei", "Max Keller", "Anna Rossi", "Dino", ""]);
        assert!(list.lines.iter().all(|line| line.is_doubtful), "{list:?}");
        reads("Lea Frei <lea@frei.ch>, \"Keller, Max\" <max@k.ch>", &[Name], &["Lea Frei", "Max Keller"]);
    }

    #[test]
    fn t5_a_name_turned_round_and_names_in_one_line_are_doubtful() {
        let list = reads("Keller, Max", &[Name], &["Max Keller"]);
        assert!(list.lines[0].is_doubtful && list.lines[0].written == "Keller, Max");
        reads("Martin King, Jr.", &[Name], &["Martin King, Jr."]);
        let list = reads("Anna Rossi, Bea, Cleo Weiss", &[Name], &["Anna Rossi", "Bea", "Cleo Weiss"]);
        assert!(!list.is_plain);
        reads("Max Keller, BG Basel, SUI", &[Name, Club, Country], &["Max Keller"]);
        assert_eq!(PastedList::read(" \n\t\n", &[]).lines, []);
    }
}
