//! Acts at the desk.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::frame::{address, enter_address};
use crate::acting::{self, Acted, Next, OfStream, Submission, put_points};
use crate::amounts;
use crate::around;
use crate::form::{Form, Object, decoded};
use crate::visitor::Visitor;
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::values::{Currency, PlayerId, Timestamp, TournamentId};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputError;
use owlbox_desk::Request;
use owlbox_desk::commands::subject::Preview;
use owlbox_desk::tournaments::Arrival;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::Entry;
use owlbox_play::tournament::event::Awarded;
use owlbox_play::tournament::prizes::scheduled;
use owlbox_play::tournament::room::{DivisionNo, Table, TableNo, TableUse};
use owlbox_play::tournament::settings::SidePool;

type Sent<'a> = Submission<'a, Tournament>;

/// Players and what they get, in minor units.
type Sums = BTreeMap<PlayerId, u64>;

/// The command of an [`Arrival`], which is several of the tournament's.
pub(crate) const ARRIVE: &str = "arrive";

/// What is given at the door and is several commands of the tournament.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum AtTheDoor {
    Arrive { division: DivisionNo, entry: EntryNo, arrival: Arrival },
}

impl Acted for Tournament {
    async fn convert(sent: &Sent<'_>, command: &mut Object) -> Result<(), Problem> {
        put_pools(command);
        let desk = &sent.visitor.service.desk;
        let tournament = desk.find::<Self>(sent.id).await?;
        let currency = tournament.state.currency();
        let tables: Vec<&Table> = tournament.state.room.tables.values().collect();
        put_typed(command, currency, &tables, (desk.now(), &sent.visitor.t))?;
        match command.get("tables") {
            Some(asked) => sent.form.check_seen(&tables, asked),
            None => check_seen(sent.form, command, &tournament.state),
        }
    }

    async fn carry_out(sent: &Sent<'_>, request: Request, command: Object) -> Result<Version, Problem> {
        let desk = &sent.visitor.service.desk;
        let answer = if is_arrival(&command) {
            let AtTheDoor::Arrive { division, entry, arrival } = decoded(command)?;
            desk.arrive(request, sent.id, division, entry, arrival).await?
        } else {
            desk.command::<Self>(request, sent.id, decoded(command)?).await?
        };
        Ok(answer.act.version)
    }

    async fn previewed(
        sent: &Sent<'_>,
        request: Request,
        command: Object,
    ) -> Result<(String, Version), Problem> {
        if is_arrival(&command) {
            return Err(Problem::new(Code::NoPreview, "what is paid at the door is not previewed"));
        }
        let preview = sent.visitor.service.desk.preview::<Self>(request, sent.id, decoded(command)?).await?;
        Ok((Self::in_words(sent, &preview).await?, preview.here.before.version))
    }

    async fn in_words(sent: &Sent<'_>, preview: &Preview<Self>) -> Result<String, Problem> {
        super::preview_in_words(sent.visitor, preview).await
    }
}

/// The query of a page that asks for nothing.
#[derive(Deserialize)]
pub(crate) struct NoQuery {}

/// The handlers of a page of the desk that takes acts at its address with `/act` after it: `show`, and `act`
/// for those. Both answer with the module's `answer`, from the path and the query of the address.
macro_rules! takes_acts {
    ($path:ty, $query:ty) => {
        pub(crate) async fn show(
            visitor: $crate::visitor::Visitor,
            path: actix_web::web::Path<$path>,
            query: actix_web::web::Query<$query>,
            request: actix_web::HttpRequest,
        ) -> Result<actix_web::HttpResponse, owlbox_http::problem::Problem> {
            answer(&visitor, &path, &query, $crate::visitor::is_partial(&request)).await
        }

        pub(crate) async fn act(
            visitor: $crate::visitor::Visitor,
            of: $crate::directing::act::OfTournament,
            path: actix_web::web::Path<$path>,
            query: actix_web::web::Query<$query>,
            form: $crate::form::Form,
            request: actix_web::HttpRequest,
        ) -> Result<actix_web::HttpResponse, owlbox_http::problem::Problem> {
            $crate::directing::act::act(visitor, of.id, &form, &request, async |visitor, partial| {
                answer(visitor, &path, &query, partial).await
            })
            .await
        }
    };
}
pub(super) use takes_acts;

pub(super) type OfTournament = web::Path<OfStream<TournamentId>>;

/// An act on a tournament, from a page that `page` shows. It leads to the page that its form names, or to the
/// desk.
pub(super) async fn act(
    visitor: Visitor,
    id: TournamentId,
    form: &Form,
    request: &HttpRequest,
    page: impl AsyncFnOnce(&Visitor, bool) -> Result<HttpResponse, Problem>,
) -> Result<HttpResponse, Problem> {
    let path = request.path().strip_suffix("/act").unwrap_or_default();
    let here = match request.query_string() {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    };
    let then = page_after(id, form);
    let next = if then == here { Next::Same(then) } else { Next::Another(then) };
    acting::act::<Tournament>(visitor, id, form, request, next, page).await
}

/// The page that a form leads to: the one of the desk that it names, or the desk itself.
fn page_after(id: TournamentId, form: &Form) -> String {
    let desk = address(id, "");
    let is_below =
        |path: &str| path.strip_prefix(&desk).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let in_an_address = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?=&%#".contains(&byte);
    let is_of_desk = |then: &&str| {
        let path = then.split(['?', '#']).next().unwrap_or_default();
        (is_below(path) || path == enter_address(id))
            && then.bytes().all(in_an_address)
            && around::takes("get", path)
    };
    form.some("then").filter(is_of_desk).map_or_else(|| desk.clone(), str::to_owned)
}

/// Refuses a form for prizes by hand, or for the side pools of an entry, that was made from others than there
/// are now.
fn check_seen(form: &Form, command: &Object, state: &Tournament) -> Result<(), Problem> {
    let Some(of) = state.division(part(command, "division").unwrap_or_default()) else { return Ok(()) };
    if let Some(asked) = part::<Vec<Awarded>>(command, "awards") {
        let now = prizes_of_form(of);
        let asked: Sums = asked.into_iter().map(|award| (award.player, award.amount)).collect();
        return form.check_seen(&now, &(Some(asked), &now.1));
    }
    let of_form = part(command, "entry").and_then(|entry| of.entry(entry));
    if let Some((of_form, asked)) = of_form.zip(part::<Vec<u8>>(command, "side_pools")) {
        let now = pools_of_form(of, of_form);
        return form.check_seen(&now, &(asked, now.1));
    }
    Ok(())
}

/// What the form for prizes given by hand is made from: those that were given, if any were, and those that
/// are due.
pub(super) fn prizes_of_form(of: &Division) -> (Option<Sums>, Sums) {
    let given = of.awards.as_ref().map(|given| given.awards.iter().map(|one| (one.player, one.amount)));
    (given.map(Iterator::collect), scheduled(of).prizes)
}

/// What the form for an entry's side pools is made from: those that it has joined, and all that there are.
pub(super) fn pools_of_form<'a>(of: &'a Division, entry: &Entry) -> (Vec<u8>, &'a [SidePool]) {
    ((0..8).filter(|pool| entry.is_in_pool(*pool)).collect(), &of.settings.side_pools)
}

/// A part of a command, if it can be read.
fn part<T: DeserializeOwned>(command: &Object, name: &str) -> Option<T> {
    T::deserialize(command.get(name)?).ok()
}

fn is_arrival(command: &Object) -> bool {
    command.get("command").is_some_and(|command| command == ARRIVE)
}

/// The list at the door has boxes for the pools of every entry: puts those of an entry that arrives where
/// they belong, if it is asked for its pools, and leaves out all others.
fn put_pools(command: &mut Object) {
    let Some(Value::Object(mut ticked)) = command.remove("pools") else { return };
    let of_entry = command.get("entry").and_then(|entry| ticked.remove(&format!("e{entry}")));
    if let (Some(pools), Some(Value::Object(arrival))) = (of_entry, command.get_mut("arrival"))
        && arrival.contains_key("side_pools")
    {
        arrival.insert("side_pools".to_owned(), pools);
    }
}

/// Puts in place what directors type: amounts in the tournament's currency (a text instead of a number),
/// minutes from now, the tables of the room, and the points at which a match stopped.
fn put_typed(
    command: &mut Object,
    currency: Option<Currency>,
    room: &[&Table],
    (now, t): (Timestamp, &Locale),
) -> Result<(), Problem> {
    let points = command.remove("points_then");
    put_points(command.get_mut("ended"), points);
    if let Some(minutes) = command.remove("minutes") {
        let minutes = minutes.as_u64().and_then(|minutes| u16::try_from(minutes).ok());
        let minutes =
            minutes.ok_or_else(|| Problem::unreadable("minutes", "the minutes are not a number"))?;
        let until = Timestamp::from(now.utc() + TimeDelta::minutes(i64::from(minutes)));
        command.insert("until".to_owned(), json!(until));
    }
    if let Some(tables @ Value::Object(_)) = command.get_mut("tables") {
        *tables = json!(typed_tables(tables, room)?);
    }
    if let Some(Value::String(typed)) = command.get("amount") {
        let amount = minor_units(t, typed, currency, "amount")?;
        command.insert("amount".to_owned(), json!(amount));
    }
    if let Some(Value::Array(awards)) = command.get_mut("awards") {
        for (place, award) in awards.iter_mut().filter_map(Value::as_object_mut).enumerate() {
            if let Some(Value::String(typed)) = award.get("amount") {
                let amount = minor_units(t, typed, currency, &format!("awards[{place}][amount]"))?;
                award.insert("amount".to_owned(), json!(amount));
            }
        }
        // Who gets nothing is left out.
        awards.retain(|award| award.get("amount").is_some_and(|amount| amount != 0));
    }
    Ok(())
}

/// The tables as typed: open, reserved and closed. Those of the room keep their notes, which the form does
/// not show.
fn typed_tables(typed: &Value, room: &[&Table]) -> Result<Vec<Table>, Problem> {
    let mut tables: BTreeMap<TableNo, TableUse> = BTreeMap::new();
    // A table listed as reserved or closed is not open.
    for (part, used_for) in
        [("open", TableUse::Open), ("reserved", TableUse::Reserved), ("closed", TableUse::Closed)]
    {
        let text = typed.get(part).and_then(Value::as_str).unwrap_or_default();
        let numbers = table_numbers(text).ok_or_else(|| {
            let why = "tables are numbers from 1 to 2000, like 1-12, 15";
            Problem::unreadable(format!("tables[{part}]"), why)
        })?;
        tables.extend(numbers.into_iter().map(|table| (table, used_for)));
    }
    let note = |table: TableNo| room.iter().find(|kept| kept.table == table)?.note.clone();
    let table = |(table, used_for)| Table { table, used_for, note: note(table) };
    Ok(tables.into_iter().map(table).collect())
}

/// Reads tables as they are typed: `1-12, 15`. `None` for anything else, and for more than 2,000 tables.
fn table_numbers(typed: &str) -> Option<Vec<TableNo>> {
    let mut numbers = Vec::new();
    for part in typed.split([',', ';', ' ']).map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
        if !(1..=2_000).contains(&first) || !(first..=2_000).contains(&last) {
            return None;
        }
        numbers.extend((first..=last).map(TableNo));
        if numbers.len() > 2_000 {
            return None;
        }
    }
    Some(numbers)
}

/// An amount as typed at this place, in minor units of the tournament's currency.
fn minor_units(t: &Locale, typed: &str, currency: Option<Currency>, place: &str) -> Result<u64, Problem> {
    let unreadable = || Problem::unread(place, InputError::Unreadable);
    let amount = amounts::typed(t, place, typed, Unit::Money(currency.ok_or_else(unreadable)?))?;
    u64::try_from(amount).map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use crate::pages::fields::read;
    use owlbox_locale::Language;

    use super::*;

    /// The command of these fields after what was typed, or the part of it that cannot be read.
    fn typed(fields: &[(&str, &str)]) -> Result<Value, String> {
        let mut command = read(fields.iter().copied()).unwrap();
        let now = "2026-11-20T18:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap().into();
        let t = Locale::new(Language::English, chrono_tz::UTC);
        put_typed(&mut command, "EUR".parse().ok(), &[], (now, &t))
            .map_err(|problem| problem.part.unwrap())?;
        Ok(Value::Object(command))
    }

    #[test]
    fn whoever_arrives_joins_the_pools_that_are_ticked_in_their_line() {
        let arrives = [("command", "arrive"), ("entry:number", "5"), ("arrival[owed]:number", "6000")];
        let ticked = [("pools[e5][]:number", "0"), ("pools[e6][]:number", "1"), ("pools[e5][]:number", "2")];
        let asked = [("arrival[side_pools]:list", "")];
        let arrival = |parts: &[&[(&str, &str)]]| {
            let mut command = read(parts.concat()).unwrap();
            put_pools(&mut command);
            assert!(!command.contains_key("pools"));
            command["arrival"].clone()
        };
        let with = |pools: Value| json!({"owed": 6000, "side_pools": pools});
        assert_eq!(arrival(&[&ticked, &arrives, &asked]), with(json!([0, 2])));
        assert_eq!(arrival(&[&ticked[1..2], &arrives, &asked]), with(json!([])));
        assert_eq!(arrival(&[&arrives, &asked]), with(json!([])));
        assert_eq!(arrival(&[&ticked, &arrives]), json!({"owed": 6000}));
    }

    #[test]
    fn what_is_typed_becomes_what_is_meant() {
        for (fields, expected) in [
            (&[("minutes:number", "15")][..], json!({"until": "2026-11-20T18:15:00Z"})),
            (&[("minutes:number", "")], json!({})),
            (
                &[
                    ("tables:object", ""),
                    ("tables[open]", "1-3"),
                    ("tables[closed]", "2"),
                    ("tables[reserved]", "5"),
                ],
                json!({"tables": [
                    {"table": 1}, {"table": 2, "for": "closed"}, {"table": 3}, {"table": 5, "for": "reserved"},
                ]}),
            ),
            (&[("tables:object", "")], json!({"tables": []})),
            (&[("amount", "4,50")], json!({"amount": 450})),
            (&[("amount:number", "450")], json!({"amount": 450})),
            (
                &[
                    ("awards[0][player]", "a"),
                    ("awards[0][amount]", "70"),
                    ("awards[1][player]", "b"),
                    ("awards[1][amount]", "0"),
                    ("awards[2][player]", "c"),
                    ("awards[2][amount]", ""),
                ],
                json!({"awards": [{"player": "a", "amount": 7_000}]}),
            ),
            (
                &[("ended[ending]", "conceded"), ("points_then[lower]:number", "3")],
                json!({"ended": {"ending": "conceded", "score": [0, 3]}}),
            ),
        ] {
            let mut found = typed(fields).unwrap();
            if let Some(tables) = found.get_mut("tables").and_then(Value::as_array_mut) {
                // As the commands are read, without what is said by default.
                for table in tables.iter_mut().filter_map(Value::as_object_mut) {
                    table.retain(|_, part| !part.is_null() && part != "open");
                }
            }
            assert_eq!(found, expected, "{fields:?}");
        }
        for (fields, part) in [
            (("minutes:number", "soon"), "minutes"),
            (("minutes:number", "70000"), "minutes"),
            (("tables[open]", "99999"), "tables[open]"),
            (("tables[closed]", "1-"), "tables[closed]"),
            (("amount", "ten"), "amount"),
            (("awards[0][amount]", "1.230"), "awards[0][amount]"),
            (("awards[0][amount]", "0.505"), "awards[0][amount]"),
        ] {
            assert_eq!(typed(&[fields]), Err(part.to_owned()), "{fields:?}");
        }
    }

    #[test]
    fn tables_are_typed_as_ranges_and_single_ones() {
        let read = |typed: &str| {
            table_numbers(typed).map(|tables| tables.iter().map(|one| one.0).collect::<Vec<_>>())
        };
        assert_eq!(read("1-3, 5"), Some(vec![1, 2, 3, 5]));
        assert_eq!(read("7;9 2–3"), Some(vec![7, 9, 2, 3]));
        assert_eq!(read(""), Some(vec![]));
        for wrong in ["0", "3-1", "x", "1-", "1-2001", "-4", "1-2000,1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
