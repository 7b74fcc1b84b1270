//! Lists, page by page: how a request names a page, how large it may be, and how it is cut.
//!
//! Pages go by cursor: the `next` of one page is the `after` of the following one. A list is read with one
//! entry more than fits, which tells whether anything follows. What a cursor holds is up to each list.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::problem::Problem;
use super::service::Service;
use owlbox_base::code::Code;
use owlbox_base::values::PlayerId;

/// A page of a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// The `after` of the next page; null on the last one.
    pub next: Option<String>,
    /// The names of the players whose ids are in the entries; absent from lists that have no players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<BTreeMap<PlayerId, String>>,
}

impl<T> Page<T> {
    /// The first `limit` of `items`, which were read with one more than that; `cursor` names the
    /// last one shown.
    pub fn cut(mut items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> String) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_last = items.len() <= limit;
        items.truncate(limit);
        let next = if is_last { None } else { items.last().map(cursor) };
        Self { items, next, names: None }
    }

    /// The page with the names of the players that its entries have.
    ///
    /// # Errors
    /// The store failed.
    pub async fn named<P: IntoIterator<Item = PlayerId>>(
        self,
        service: &Service,
        players: impl Fn(&T) -> P,
    ) -> Result<Self, Problem> {
        let players: BTreeSet<PlayerId> = self.items.iter().flat_map(players).collect();
        let names = service.desk.names(players.into_iter().collect()).await?;
        Ok(Self { names: Some(names), ..self })
    }
}

/// Which page of a list.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// Entries a page, up to the configured maximum.
    pub limit: Option<i64>,
    /// The `next` of the previous page.
    pub after: Option<String>,
}

/// The number of entries on a page: what was asked for, or the configured default.
///
/// # Errors
/// Fewer than one, or more than the configuration allows.
pub fn limit(service: &Service, asked: Option<i64>) -> Result<i64, Problem> {
    let limits = &service.config.limits;
    match asked {
        None => Ok(limits.page_size),
        Some(limit) if (1..=limits.page_size_max).contains(&limit) => Ok(limit),
        Some(_) => {
            let detail = format!("limit is 1 to {}", limits.page_size_max);
            Err(Problem::new(Code::InvalidQuery, detail).about("limit"))
        }
    }
}

/// Reads the cursor in `after`; `None` asks for the first page.
///
/// # Errors
/// The text is not a cursor of this list.
pub fn cursor<T: std::str::FromStr>(after: Option<&str>) -> Result<Option<T>, Problem> {
    after.map(str::parse).transpose().map_err(|_| no_cursor())
}

/// Whether a list shows what goes on (true) or what is over (false), from its two filters; `None` for both.
///
/// # Errors
/// The filters contradict each other.
pub fn is_open(open: Option<bool>, closed: Option<bool>) -> Result<Option<bool>, Problem> {
    if open.is_some() && open == closed {
        let detail = "open and closed contradict each other: send open";
        return Err(Problem::new(Code::InvalidQuery, detail).about("closed"));
    }
    Ok(open.or(closed.map(|closed| !closed)))
}

/// The refusal of an `after` that is not a cursor of the list.
pub fn no_cursor() -> Problem {
    Problem::new(Code::InvalidQuery, "after must be the next of the page before").about("after")
}
