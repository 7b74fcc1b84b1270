//! Pages that are made once for all strangers.
//!
//! A final is watched on thousands of phones that nobody has signed in on, and all of them see the same page.
//! It is rendered and compressed once for each state of what it shows, kept in memory, and answered with an
//! entity tag; a proxy may keep it for a second. Whether a page may be seen is decided for every request,
//! before a copy is looked for. Anyone who is signed in, or was, gets a page of their own.
//!
//! A copy has nothing of one visitor: no token for forms, and one address for all addresses of the same view.

use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::http::header::{self, AcceptEncoding, Encoding, EntityTag, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use crate::etag::client_has;
use crate::problem::Problem;
use owlbox_base::code::Code;
use owlbox_base::journal::Version;

/// The `Cache-Control` of copies: a browser asks every time whether its own is still right, a proxy after a
/// second.
const FOR_EVERYBODY: &str = "public, max-age=0, s-maxage=1, must-revalidate";
/// What decides, besides the address, which page is answered: the language's cookie, the theme's and the
/// session's are among the cookies.
const VARIES_BY: &str = "Accept-Encoding, Accept-Language, Cookie";
/// The `Content-Type` of pages.
pub const HTML: &str = "text/html; charset=utf-8";
/// The most memory for copies, in bytes: of one club, or of all.
pub const MOST_BYTES: usize = 64 << 20;
/// Roughly what a copy takes besides its page, in bytes.
const BESIDES: usize = 1 << 10;

/// Whether an answer with these headers is a copy. It belongs to no visit.
#[must_use]
pub fn is_copy(headers: &HeaderMap) -> bool {
    headers.get(header::CACHE_CONTROL).is_some_and(|kept| kept == FOR_EVERYBODY)
}

/// The copies of all workers. Those that were used last are kept, within a number of bytes.
pub struct PageCache {
    shelf: Mutex<Shelf>,
    most: usize,
}

#[derive(Default)]
struct Shelf {
    places: HashMap<Key, Place>,
    /// How often a copy has been asked for.
    uses: u64,
}

/// Which page it is: its own address, the same for whatever addresses show the same, in a language and a
/// theme.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub address: String,
    pub language: &'static str,
    pub theme: &'static str,
}

/// The state of everything that a stranger's page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageState {
    pub tournament: Version,
    /// With the club's name, language, time zone and words; and with the people who were erased.
    pub club: Version,
    pub names: u64,
}

/// The place of a copy, which may still be in the making.
struct Place {
    shows: PageState,
    copy: Arc<OnceCell<CachedPage>>,
    /// The number of its last use.
    used: u64,
}

impl Default for PageCache {
    fn default() -> Self {
        Self::within(MOST_BYTES)
    }
}

impl PageCache {
    /// Copies that take at most so many bytes.
    #[must_use]
    pub fn within(most: usize) -> Self {
        Self { shelf: Mutex::default(), most }
    }

    /// The copy of a page in this state. The first who asks for it renders it, while the others wait; if that
    /// fails, one of them tries again.
    ///
    /// # Errors
    /// Those of `render`.
    pub async fn get(
        &self,
        key: Key,
        shows: PageState,
        render: impl AsyncFnOnce() -> Result<CachedPage, Problem>,
    ) -> Result<CachedPage, Problem> {
        let wanted = key.clone();
        let place = self.shelf().place(key, shows);
        let mut is_new = false;
        let making = async {
            is_new = true;
            render().await
        };
        match place.get_or_try_init(|| making).await {
            Ok(copy) => {
                if is_new {
                    self.shelf().keep_within(self.most);
                }
                Ok(copy.clone())
            }
            // An address of nothing takes no room.
            Err(problem) => {
                self.shelf().clear(&wanted, &place);
                Err(problem)
            }
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// The place of a copy. A copy that shows another state makes room for it.
    fn place(&mut self, key: Key, shows: PageState) -> Arc<OnceCell<CachedPage>> {
        self.uses += 1;
        let empty = || Place { shows, copy: Arc::default(), used: 0 };
        let place = self.places.entry(key).or_insert_with(empty);
        if place.shows != shows {
            *place = empty();
        }
        place.used = self.uses;
        Arc::clone(&place.copy)
    }

    /// Removes a place in which nothing was made.
    fn clear(&mut self, key: &Key, empty: &Arc<OnceCell<CachedPage>>) {
        let is_it = |place: &Place| Arc::ptr_eq(&place.copy, empty) && !place.copy.initialized();
        if self.places.get(key).is_some_and(is_it) {
            self.places.remove(key);
        }
    }

    /// Removes the copies that have not been used for longest, until the others take no more than `most`
    /// bytes.
    fn keep_within(&mut self, most: usize) {
        let mut bytes: usize = self.places.values().map(Place::bytes).sum();
        if bytes <= most {
            return;
        }
        let mut oldest: Vec<(u64, Key)> =
            self.places.iter().map(|(key, place)| (place.used, key.clone())).collect();
        oldest.sort_unstable_by_key(|(used, _)| *used);
        for (_, key) in oldest {
            if bytes <= most {
                return;
            }
            bytes -= self.places.remove(&key).map_or(0, |place| place.bytes());
        }
    }
}

impl Place {
    fn bytes(&self) -> usize {
        BESIDES + self.copy.get().map_or(0, |copy| copy.gzipped.len())
    }
}

/// A page as it is sent.
#[derive(Clone, Debug)]
pub struct CachedPage {
    gzipped: Bytes,
    /// The same wherever and whenever the page is the same.
    hash: String,
}

impl CachedPage {
    /// # Errors
    /// It cannot be packed.
    pub fn new(page: &str) -> Result<Self, Problem> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(page.as_bytes()).map_err(failed)?;
        let gzipped = packing.finish().map_err(failed)?;
        let hash = Sha256::digest(&gzipped).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { gzipped: gzipped.into(), hash })
    }

    /// The page; or only that it is unchanged, if the client has it already.
    ///
    /// # Errors
    /// It cannot be unpacked for a client that wants it so.
    pub fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, Problem> {
        let (encoding, tag) = match takes_gzip(request) {
            true => ("gzip", format!("{}-gzip", self.hash)),
            // Named, so that nothing compresses it under this tag.
            false => ("identity", self.hash.clone()),
        };
        let tag = EntityTag::new_strong(tag);
        let unchanged = client_has(request, &tag);
        let mut answer = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        answer
            .insert_header((header::CACHE_CONTROL, FOR_EVERYBODY))
            .insert_header((header::VARY, VARIES_BY))
            .insert_header(header::ETag(tag));
        if unchanged {
            return Ok(answer.finish());
        }
        answer.content_type(HTML).insert_header((header::CONTENT_ENCODING, encoding));
        Ok(answer.body(if encoding == "gzip" { self.gzipped.clone() } else { self.unpacked()? }))
    }

    fn unpacked(&self) -> Result<Bytes, Problem> {
        let mut page = Vec::new();
        GzDecoder::new(&*self.gzipped).read_to_end(&mut page).map_err(failed)?;
        Ok(page.into())
    }
}

fn takes_gzip(request: &HttpRequest) -> bool {
    let offered = [Encoding::gzip(), Encoding::identity()];
    let accepted = request.get_header::<AcceptEncoding>();
    accepted.and_then(|accepted| accepted.negotiate(offered.iter())) == Some(Encoding::gzip())
}

fn failed(error: io::Error) -> Problem {
    tracing::error!(%error, "cannot compress a page");
    Problem::new(Code::InternalError, "the page cannot be shown")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> Key {
        Key { address: format!("/tournaments/1/{number}"), language: "en", theme: "device" }
    }

    fn at(tournament: Version) -> PageState {
        PageState { tournament, club: 1, names: 0 }
    }

    /// A page of which nothing can be made smaller.
    fn page(bytes: usize) -> CachedPage {
        CachedPage { gzipped: vec![0; bytes].into(), hash: bytes.to_string() }
    }

    fn kept(copies: &PageCache) -> Vec<usize> {
        let shelf = copies.shelf();
        (0..100).filter(|number| shelf.places.contains_key(&key(*number))).collect()
    }

    #[tokio::test]
    async fn the_copies_that_were_used_last_are_kept_within_the_bytes() {
        let copies = PageCache::within(10 * (BESIDES + 9_000));
        for number in 0..10 {
            copies.get(key(number), at(1), async || Ok(page(9_000))).await.unwrap();
        }
        assert_eq!(kept(&copies).len(), 10);
        copies.get(key(0), at(1), async || unreachable!("it is kept")).await.unwrap();
        copies.get(key(10), at(1), async || Ok(page(9_000))).await.unwrap();
        assert_eq!(kept(&copies), [0, 2, 3, 4, 5, 6, 7, 8, 9, 10], "all but the one not used for longest");
        copies.get(key(11), at(1), async || Ok(page(70_000))).await.unwrap();
        assert_eq!(kept(&copies), [0, 10, 11]);
        let large = copies.get(key(12), at(1), async || Ok(page(1_000_000))).await.unwrap();
        assert_eq!(large.gzipped.len(), 1_000_000, "answered all the same");
        assert_eq!(kept(&copies), [0; 0], "but there is no room for it");
    }

    #[tokio::test]
    async fn addresses_of_nothing_take_no_room() {
        let copies = PageCache::within(10 * BESIDES);
        for number in 0..50 {
            let none = copies.get(key(number), at(1), async || Err(crate::problem::not_found())).await;
            assert!(none.is_err());
        }
        assert_eq!(kept(&copies), [0; 0]);
    }

    #[tokio::test]
    async fn a_copy_of_another_state_takes_the_place_of_the_one_before() {
        let copies = PageCache::default();
        for version in [1, 2] {
            let bytes = usize::try_from(version).unwrap();
            for _ in 0..2 {
                let copy = copies.get(key(1), at(version), async || Ok(page(bytes))).await.unwrap();
                assert_eq!(copy.gzipped.len(), bytes);
            }
        }
        assert_eq!(kept(&copies), [1]);
    }

    #[tokio::test]
    async fn one_renders_while_the_others_wait_and_another_one_if_that_fails() {
        let copies = PageCache::default();
        let rendered = Mutex::new(0);
        let get = || {
            copies.get(key(1), at(1), async || {
                tokio::task::yield_now().await;
                let mut rendered = rendered.lock().unwrap();
                *rendered += 1;
                if *rendered == 1 { Err(crate::problem::not_found()) } else { Ok(page(5)) }
            })
        };
        let (first, second, third) = tokio::join!(get(), get(), get());
        assert!(first.is_err() && second.is_ok() && third.is_ok());
        assert_eq!(*rendered.lock().unwrap(), 2);
    }

    #[test]
    fn a_page_is_the_same_packed_and_unpacked_and_so_is_its_hash() {
        let text = "Turin Open".repeat(100);
        let [one, other] = [&text, &format!("{text}!")].map(|page| CachedPage::new(page).unwrap());
        assert_eq!(one.unpacked().unwrap(), text.as_bytes());
        assert!(one.gzipped.len() < text.len() / 2);
        assert_eq!(one.hash, CachedPage::new(&text).unwrap().hash);
        assert_ne!(one.hash, other.hash);
    }
}
