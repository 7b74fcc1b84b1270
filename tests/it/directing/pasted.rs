//! Lists of entrants as they come from chats, mails and sheets: shown as they were read, and entered once
//! that is confirmed.

use rstest::rstest;
use serde_json::{Value, json};

use super::*;

/// A sheet with a heading, a turned name, an address, somebody nearly known, two near ones, and what is no
/// name.
const SHEET: &str = "Nr\tName\tClub\tCountry\tRating
1\tIvo Keller\tBG Zürich\tCH\t1712
2\tKeller, Max\t\t\t1500
3\tLea Frei <lea@frei.ch>\t\t\t
4\tAna Bianchi\t\t\t
5\tMartin Müller\t\t\t
6\tMartina Müller\t\t\t
7\tAda\t\t\t
8\tbert\t\t\t
9\tIVO KELLER\t\t\t
10\t\tBG Bern\t\t";

struct Paste {
    hall: Hall,
    browser: Client,
}

impl Paste {
    fn open(db: Db) -> Option<Self> {
        let hall = Hall::on(db, &json!({"lengths": [5]}))?;
        for (name, nickname) in [("Anna Bianchi", None), ("Albert Gross", Some("Bert"))] {
            hall.director.post("/api/v1/players", &json!({"name": name, "nickname": nickname})).good();
        }
        let browser = hall.browser(ADMIN.0, ADMIN.1);
        Some(Self { hall, browser })
    }

    fn people(&self) -> Vec<Value> {
        let all = self.hall.director.get("/api/v1/players?limit=200").good().body;
        all["items"].as_array().unwrap().clone()
    }

    fn names(&self) -> Vec<String> {
        self.people().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }

    /// How many have entered, and the version of the tournament.
    fn entered(&self) -> (usize, i64) {
        let entries = self.hall.get("/divisions/1/entries")["items"].as_array().unwrap().len();
        (entries, self.hall.get("")["version"].as_i64().unwrap())
    }

    #[track_caller]
    fn paste(&self, text: &str) -> Answer {
        let page = self.browser.get(&self.hall.desk("/1/entries")).good();
        press(&self.browser, &page, "Enter", &[("names", ""), ("names", text)])
    }

    /// Confirms a list that is shown, with these choices by line and label.
    #[track_caller]
    fn confirm(&self, page: &Answer, text: &str, chosen: &[(&str, &str)]) -> Answer {
        let choice = |(of, label): &(&str, &str)| {
            let radio = page.text().split("type=\"radio\"").skip(1).find(|radio| {
                let value = attribute(radio.split('>').next().unwrap(), "value").unwrap();
                value.ends_with(&format!(" {of}"))
                    && words(radio.split("</label>").next().unwrap()).contains(label)
            });
            let tag =
                radio.unwrap_or_else(|| panic!("no {label} for {of}: {page}")).split('>').next().unwrap();
            (attribute(tag, "name").unwrap(), attribute(tag, "value").unwrap())
        };
        let chosen: Vec<(String, String)> = chosen.iter().map(choice).collect();
        let fields = chosen.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        press(&self.browser, page, "Enter", &fields.chain([("names", text)]).collect::<Vec<_>>())
    }
}

/// T5: nobody is entered before the list was shown column by column; then all are at once, and one undo takes
/// them back.
#[rstest]
fn t5_a_pasted_list_is_shown_before_anybody_is_entered(#[values(Db::one(), Db::other())] db: Db) {
    let Some(paste) = Paste::open(db) else { return };
    let (before, known) = (paste.entered(), paste.names());
    let shown = paste.paste(SHEET);
    assert_eq!(shown.status, 422, "somebody has to be chosen: {shown}");
    let text = words(shown.text());
    for said in [
        "Line",
        "Rating",
        "Somebody new: Ivo Keller, BG Zürich, CH",
        "Somebody new: Max Keller",
        "Somebody new: Lea Frei",
        "Anna Bianchi",
        "The same as Martin Müller in line 6",
        "Ada has entered already",
        "Albert Gross (Bert)",
        "The same as in line 2",
        "No name can be read here",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("Somebody new: Name"), "{text}");
    assert_eq!((paste.entered(), paste.names()), (before, known.clone()), "nothing is booked before");

    // Without a choice, and with a choice for one of two, nothing is either, and the choice stays.
    assert_eq!(paste.confirm(&shown, SHEET, &[]).status, 422);
    let asked = paste.confirm(&shown, SHEET, &[("Ana Bianchi", "Somebody new")]);
    assert_eq!(asked.status, 422, "{asked}");
    assert!(asked.text().contains("new Ana Bianchi\" required checked"), "{asked}");
    assert_eq!((paste.entered(), paste.names()), (before, known.clone()));

    let chosen = [("Ana Bianchi", "Somebody new"), ("Martina Müller", "Somebody new")];
    for _ in 0..2 {
        let entered = paste.confirm(&asked, SHEET, &chosen);
        assert_eq!(entered.status, 303, "a form sent twice does nothing twice: {entered}");
    }
    let (entries, version) = paste.entered();
    assert_eq!((entries, version), (before.0 + 7, before.1 + 1), "all at once");
    let ivo = paste.people().into_iter().find(|one| one["name"] == "Ivo Keller").unwrap();
    assert_eq!(
        (&ivo["club"], &ivo["country"], &ivo["guest"]),
        (&json!("BG Zürich"), &json!("CH"), &json!(true))
    );
    let new = ["Ana Bianchi", "Ivo Keller", "Lea Frei", "Martin Müller", "Martina Müller", "Max Keller"];
    let mut all: Vec<String> = known.iter().cloned().chain(new.map(str::to_owned)).collect();
    all.sort();
    assert_eq!(paste.names(), all);
    paste.hall.does(&json!({"command": "undo"}));
    assert_eq!((paste.entered().0, paste.names()), (before.0, known));
    paste.hall.house.verify();
}

/// T5: the other kinds of lines, each alone: a row with semicolons, a mail's address, a name turned round.
#[rstest]
fn t5_a_line_with_more_than_a_name_is_shown(#[values(Db::one(), Db::other())] db: Db) {
    let Some(paste) = Paste::open(db) else { return };
    for (text, read) in [
        ("Keller, Max;BG Basel;1500", "Somebody new: Max Keller, BG Basel"),
        ("Frei, Lea", "Somebody new: Lea Frei"),
        ("Lea Frei <lea@frei.ch>", "Somebody new: Lea Frei"),
        ("Anna Rossi, Bea Nardi, Cleo Weiss", "Somebody new: Cleo Weiss"),
    ] {
        let before = paste.names();
        let shown = paste.paste(text).good();
        assert!(words(shown.text()).contains(read), "{text}: {shown}");
        assert_eq!(paste.names(), before, "{text}");
    }
    let shown = paste.paste("Keller, Max;BG Basel;1500");
    leads_to(
        &paste.confirm(&shown, "Keller, Max;BG Basel;1500", &[]),
        &paste.hall.desk("/1/entries?told=1-1-0"),
    );
    assert!(paste.names().contains(&"Max Keller".to_owned()));
    // A single name that is nearly somebody's is asked about, and may be theirs.
    let near = paste.paste("Ana Bianchi");
    assert_eq!(near.status, 422, "{near}");
    let before = paste.names();
    leads_to(
        &paste.confirm(&near, "Ana Bianchi", &[("Ana Bianchi", "Anna Bianchi")]),
        &paste.hall.desk("/1/entries"),
    );
    assert_eq!(paste.names(), before, "it was Anna");
    // Its reader says what a column holds.
    let page = paste.paste("Anna, Basel\nBea, Bern");
    assert!(words(page.text()).contains("Somebody new: Basel Anna"), "{page}");
    let columns = [("column", "name"), ("column", "club"), ("names", "Anna, Basel\nBea, Bern")];
    let otherwise = press(&paste.browser, &page, "Check again", &columns);
    assert!(words(otherwise.text()).contains("Somebody new: Anna, Basel"), "{otherwise}");
}

/// A list that was shown before somebody else acted is shown again, with what was chosen.
#[rstest]
fn t5_a_list_that_is_no_longer_as_it_was_shown_is_shown_again(#[values(Db::one(), Db::other())] db: Db) {
    let Some(paste) = Paste::open(db) else { return };
    let text = "Ana Bianchi\nIvo Keller";
    let shown = paste.paste(text);
    let ivo = paste.hall.house.player(&paste.hall.director, "Ivo Keller");
    paste.hall.does(&json!({"command": "enter", "entries": [{"player": ivo}]}));
    let (before, known) = (paste.entered(), paste.names());
    let again = paste.confirm(&shown, text, &[("Ana Bianchi", "Somebody new")]);
    assert_eq!((again.status, paste.entered(), paste.names()), (412, before, known), "{again}");
    assert!(words(again.text()).contains("Ivo Keller has entered already"), "{again}");
    let entered = paste.confirm(&again, text, &[("Ana Bianchi", "Somebody new")]);
    leads_to(&entered, &paste.hall.desk("/1/entries?told=1-1-1"));
}

/// A guest who went with an entry comes back with it only while nobody else is called so.
#[rstest]
fn a_guest_whose_name_is_anothers_nickname_by_now_does_not_come_back(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(paste) = Paste::open(db) else { return };
    let before = paste.entered().0;
    leads_to(&paste.paste("Kurt O’Brien"), &paste.hall.desk("/1/entries?told=1-1-0"));
    paste.hall.does(&json!({"command": "undo"}));
    let karl = json!({"name": "Karl", "nickname": "Kurt O'Brien"});
    let karl = paste.hall.director.post("/api/v1/players", &karl).good().body["id"].clone();
    let (redo, commands) =
        (json!({"command": "redo"}), format!("/api/v1/tournaments/{}/commands", paste.hall.id));
    paste.hall.director.post(&commands, &redo).refused(422, "name_taken");
    assert_eq!((paste.entered().0, paste.names().contains(&"Kurt O’Brien".to_owned())), (before, false));
    let of_karl = format!("/api/v1/players/{}", karl.as_str().unwrap());
    paste.hall.director.patch(&of_karl, &json!({"nickname": null})).good();
    paste.hall.does(&redo);
    assert_eq!((paste.entered().0, paste.names().contains(&"Kurt O’Brien".to_owned())), (before + 1, true));
    paste.hall.house.verify();
}
