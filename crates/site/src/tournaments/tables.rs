//! The tables of a division: how one is asked for, and the addresses of its other orders and parts.

use serde::Deserialize;

use crate::sorted::{Column, Sorting};
use owlbox_locale::url::address;

/// Rows per page.
const PAGE: usize = 200;
/// The most of them on one page for who wants all of them, to print or to search.
const WHOLE: usize = 2_000;
/// The most letters of a name that is searched for.
const MOST_SEARCHED: usize = 60;

/// What the addresses of all these tables may hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableQuery {
    q: String,
    sort: String,
    order: String,
    all: String,
}

/// A field of an address.
pub(super) type Field = (&'static str, String);

/// How a table of a division is asked for: the search in it, its order, and how much of it.
#[derive(Clone, Debug)]
pub(super) struct ListOptions {
    /// The address of the page.
    path: String,
    pub search: String,
    pub sorting: Sorting,
    /// The column by which it is sorted unless asked otherwise.
    default: Column,
    /// Whether all of it is asked for.
    pub whole: bool,
    /// What else the address holds.
    field: Field,
}

impl ListOptions {
    /// What an address asks for of the table with these columns. It is sorted by the first of them unless
    /// asked otherwise.
    pub fn new(path: String, query: &TableQuery, columns: &[Column], field: Field) -> Self {
        let default = columns.first().copied().unwrap_or(Column::Name);
        Self {
            path,
            search: query.q.trim().chars().take(MOST_SEARCHED).collect(),
            sorting: Sorting::from_query(&query.sort, &query.order, default, columns),
            default,
            whole: query.all == "yes",
            field,
        }
    }

    pub fn per_page(&self) -> usize {
        if self.whole { WHOLE } else { PAGE }
    }

    /// The same with another value of the field of its own.
    pub fn with(&self, value: &str) -> Self {
        Self { field: (self.field.0, value.to_owned()), ..self.clone() }
    }

    /// The fields that a search in the table keeps.
    pub fn kept(&self) -> Vec<Field> {
        let field = Some(self.field.clone()).filter(|(_, value)| !value.is_empty());
        field.into_iter().chain(self.sorting.fields(self.default)).collect()
    }

    /// The address of the table in this order, with a field for how much of it.
    fn address(&self, sorting: Sorting, much: Field) -> String {
        let mut fields = vec![self.field.clone(), ("q", self.search.clone())];
        fields.extend(sorting.fields(self.default));
        fields.push(much);
        address(&self.path, &fields)
    }

    /// The address of the whole table.
    pub fn all(&self) -> String {
        self.address(self.sorting, ("all", "yes".to_owned()))
    }

    /// The address of the page from a row on.
    pub fn from(&self, row: Field) -> String {
        self.address(self.sorting, row)
    }

    /// Where the page from a row on is fetched again.
    pub fn again(&self, row: Field) -> String {
        if self.whole { self.all() } else { self.from(row) }
    }

    /// The columns, each with the address of the table sorted by it.
    pub fn columns(&self, columns: &[Column]) -> Vec<(Column, String)> {
        let much = || ("all", if self.whole { "yes".to_owned() } else { String::new() });
        self.sorting.links(columns, |sorting| self.address(sorting, much()))
    }
}
