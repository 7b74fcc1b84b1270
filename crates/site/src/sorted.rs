//! Tables that are sorted by a link in each heading: the columns, the order in an address, and the headings.

use std::cmp::Reverse;

/// A column by which a table can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Place,
    Number,
    Name,
    /// Club and country.
    From,
    Seed,
    Status,
    Prize,
}

impl Column {
    const ALL: [Self; 7] =
        [Self::Place, Self::Number, Self::Name, Self::From, Self::Seed, Self::Status, Self::Prize];

    /// Its name in addresses and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Number => "number",
            Self::Name => "name",
            Self::From => "from",
            Self::Seed => "seed",
            Self::Status => "status",
            Self::Prize => "prize",
        }
    }

    /// The key of its heading.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Place => "column-place",
            Self::Number => "column-number",
            Self::Name => "name",
            Self::From => "column-from",
            Self::Seed => "column-seed",
            Self::Status => "column-status",
            Self::Prize => "column-prize",
        }
    }
}

/// The order of a table: by which column, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sorting {
    pub by: Column,
    pub descending: bool,
}

/// What a row is sorted by. `None` in the column comes last, whichever way it is sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SortKey {
    Number(u64),
    /// A text as it is searched for, so that `Élodie` stands with the other names in E.
    Text(String),
}

impl Sorting {
    pub const fn ascending(by: Column) -> Self {
        Self { by, descending: false }
    }

    /// The order that an address asks for with `sort` and `order`. Anything else is sorted by the first of
    /// the table's columns.
    pub fn from_query(sort: &str, order: &str, default: Column, columns: &[Column]) -> Self {
        let by = Column::ALL.into_iter().find(|column| column.name() == sort);
        by.filter(|by| columns.contains(by))
            .map_or(Self::ascending(default), |by| Self { by, descending: order == "desc" })
    }

    /// The order as fields of an address. Without any for the table's default.
    pub fn fields(self, default: Column) -> Vec<(&'static str, String)> {
        if self == Self::ascending(default) {
            return Vec::new();
        }
        let order = if self.descending { "desc" } else { "asc" };
        vec![("sort", self.by.name().to_owned()), ("order", order.to_owned())]
    }

    /// Puts rows in this order. Rows that are alike stay as they were.
    pub fn arrange<T>(self, rows: &mut Vec<T>, key: impl Fn(&T) -> Option<SortKey>) {
        let keyed = rows.drain(..).map(|row| (key(&row), row));
        let (mut with, without): (Vec<_>, Vec<_>) = keyed.partition(|(key, _)| key.is_some());
        if self.descending {
            with.sort_by_cached_key(|(key, _)| Reverse(key.clone()));
        } else {
            with.sort_by_cached_key(|(key, _)| key.clone());
        }
        rows.extend(with.into_iter().chain(without).map(|(_, row)| row));
    }

    /// The columns of a table, each with the address of the table sorted by it: a tap on the present one
    /// turns it round. The largest prize is what one looks for first.
    pub fn links(self, columns: &[Column], address: impl Fn(Self) -> String) -> Vec<(Column, String)> {
        let sorted_by = |by: Column| {
            let descending = if self.by == by { !self.descending } else { by == Column::Prize };
            (by, address(Self { by, descending }))
        };
        columns.iter().copied().map(sorted_by).collect()
    }

    /// How the table is sorted by a column, in the words of `aria-sort`.
    pub fn of_column(self, column: &Column) -> &'static str {
        match (self.by == *column, self.descending) {
            (false, _) => "none",
            (true, false) => "ascending",
            (true, true) => "descending",
        }
    }
}

#[cfg(test)]
mod tests {
    use owlbox_locale::url::address;

    use super::*;

    const COLUMNS: [Column; 3] = [Column::Name, Column::Seed, Column::Prize];

    fn sorted(sort: &str, order: &str) -> Sorting {
        Sorting::from_query(sort, order, Column::Name, &COLUMNS)
    }

    #[test]
    fn an_order_is_read_from_an_address_and_written_into_one() {
        for (sort, order, by, descending, written) in [
            ("", "", Column::Name, false, "/x"),
            ("name", "desc", Column::Name, true, "/x?sort=name&order=desc"),
            ("seed", "asc", Column::Seed, false, "/x?sort=seed&order=asc"),
            ("seed", "nonsense", Column::Seed, false, "/x?sort=seed&order=asc"),
            ("place", "desc", Column::Name, false, "/x"),
            ("nonsense", "desc", Column::Name, false, "/x"),
        ] {
            let sorting = sorted(sort, order);
            assert_eq!(sorting, Sorting { by, descending }, "{sort} {order}");
            assert_eq!(address("/x", &sorting.fields(Column::Name)), written);
        }
    }

    #[test]
    fn rows_without_a_value_come_last_both_ways_and_rows_alike_stay_as_they_were() {
        let seeds = [("Ada", Some(2)), ("Bea", None), ("Cleo", Some(1)), ("Dino", None), ("Elio", Some(2))];
        let arranged = |order: &str| {
            let mut rows = seeds.to_vec();
            sorted("seed", order).arrange(&mut rows, |(_, seed)| seed.map(SortKey::Number));
            rows.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(arranged("asc"), ["Cleo", "Ada", "Elio", "Bea", "Dino"]);
        assert_eq!(arranged("desc"), ["Ada", "Elio", "Cleo", "Bea", "Dino"]);
    }

    #[test]
    fn a_heading_sorts_by_its_column_and_the_present_one_turns_round() {
        let links = |sorting: Sorting| -> Vec<(&str, String)> {
            let links = sorting.links(&COLUMNS, |other| address("/x", &other.fields(Column::Name)));
            links.into_iter().map(|(column, link)| (sorting.of_column(&column), link)).collect()
        };
        assert_eq!(
            links(sorted("", "")),
            [
                ("ascending", "/x?sort=name&order=desc".to_owned()),
                ("none", "/x?sort=seed&order=asc".to_owned()),
                ("none", "/x?sort=prize&order=desc".to_owned()),
            ]
        );
        assert_eq!(links(sorted("seed", "desc"))[1], ("descending", "/x?sort=seed&order=asc".to_owned()));
        assert_eq!(links(sorted("prize", "desc"))[0], ("none", "/x".to_owned()));
    }
}
