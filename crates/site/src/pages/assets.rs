//! The files a browser loads, embedded in the binary (see [`owlbox_locale::embedded`]).
//!
//! Pages link to a file by its hashed address (`/assets/3f9c0a1b22d4/owlbox.css`). Browsers may cache it for
//! ever, because different content has a different address. The plain address (`/assets/owlbox.css`) serves
//! the same bytes but has to be revalidated by `ETag`. Handlers answer the requests.

use std::sync::LazyLock;

use owlbox_locale::embedded;
use sha2::{Digest as _, Sha256};

/// `Cache-Control` for a hashed address.
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// `Cache-Control` for a plain address.
pub const CHECK_AGAIN: &str = "no-cache";

#[derive(Debug)]
pub struct Asset {
    /// The file name, such as `owlbox.css`.
    pub name: &'static str,
    pub bytes: &'static [u8],
    /// The `Content-Type` header.
    pub content_type: &'static str,
    /// A strong entity tag, including the quotes.
    pub etag: String,
    /// The hashed address, starting at the root of the site.
    pub address: String,
}

/// An icon of the screen that a phone starts programs from.
macro_rules! picture {
    ($name:literal) => {
        asset(
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/", $name)),
            "image/png",
        )
    };
}

/// Every file by name.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    Vec::from([
        asset("owlbox.css", embedded!("assets/owlbox.css"), "text/css; charset=utf-8"),
        script("outbox.js", embedded!("assets/outbox.js")),
        script("owlbox.js", embedded!("assets/owlbox.js")),
        asset("bracket.css", embedded!("assets/bracket.css"), "text/css; charset=utf-8"),
        script("bracket.js", embedded!("assets/bracket.js")),
        asset("tournaments.css", embedded!("assets/tournaments.css"), "text/css; charset=utf-8"),
        asset("directing.css", embedded!("assets/directing.css"), "text/css; charset=utf-8"),
        asset("matches.css", embedded!("assets/matches.css"), "text/css; charset=utf-8"),
        asset("reference.css", embedded!("assets/reference.css"), "text/css; charset=utf-8"),
        asset("statistics.css", embedded!("assets/statistics.css"), "text/css; charset=utf-8"),
        script("drawing.js", embedded!("assets/drawing.js")),
        script("bell.js", embedded!("assets/bell.js")),
        script("awake.js", embedded!("assets/awake.js")),
        script("clock.js", embedded!("assets/clock.js")),
        script("files.js", embedded!("assets/files.js")),
        script("board.js", embedded!("assets/board.js")),
        asset("htmx.js", embedded!("assets/vendor/htmx-4.0.1.min.js"), "text/javascript; charset=utf-8"),
        #[cfg(any(debug_assertions, test))]
        styles_in_both_themes("ui.css", embedded!("assets/ui.css")),
        script("docs.js", embedded!("assets/docs.js")),
        asset(
            "swagger-ui.js",
            embedded!("assets/vendor/swagger-ui-5.32.6-bundle.js"),
            "text/javascript; charset=utf-8",
        ),
        asset("swagger-ui.css", embedded!("assets/vendor/swagger-ui-5.32.6.css"), "text/css; charset=utf-8"),
        asset("owl.svg", embedded!("assets/owl.svg"), "image/svg+xml"),
        asset("favicon.svg", embedded!("assets/favicon.svg"), "image/svg+xml"),
        picture!("apple-touch-icon.png"),
        picture!("icon-192.png"),
        picture!("icon-512.png"),
        asset("owlbox.webmanifest", embedded!("assets/owlbox.webmanifest"), "application/manifest+json"),
    ])
});

/// One of our own scripts without its comment lines, which only readers of the source need.
fn script(name: &'static str, text: &'static str) -> Asset {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.flat_map(|line| [line, "\n"]).collect();
    // Leaked once and used until the program ends.
    asset(name, code.leak(), "text/javascript; charset=utf-8")
}

/// A style sheet of `/docs/ui`, in which the classes `day` and `night` have the colours of the two themes, as
/// `owlbox.css` has them.
#[cfg(any(debug_assertions, test))]
fn styles_in_both_themes(name: &'static str, text: &str) -> Asset {
    let themes = ["day", "night"].into_iter().zip(colours_of_themes());
    let mut css: String = themes.map(|(theme, colours)| format!(".{theme} {{{colours}}}\n")).collect();
    css.push_str(text);
    asset(name, css.leak(), "text/css; charset=utf-8")
}

/// The colours by day and by night, from the rules of `owlbox.css`.
#[cfg(any(debug_assertions, test))]
fn colours_of_themes() -> impl Iterator<Item = &'static str> {
    let css = embedded!("assets/owlbox.css");
    let rules = ["\n:root {", "[data-theme=dark]) {"].into_iter();
    rules.filter_map(move |rule| css.split_once(rule)?.1.split('}').next())
}

fn asset(
    name: &'static str,
    content: &'static (impl AsRef<[u8]> + ?Sized),
    content_type: &'static str,
) -> Asset {
    let bytes = content.as_ref();
    let hash: String = Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Asset {
        name,
        bytes,
        content_type,
        etag: format!("\"{hash}\""),
        address: format!("/assets/{hash}/{name}"),
    }
}

#[cfg(test)]
pub fn all() -> &'static [Asset] {
    &ASSETS
}

#[must_use]
pub fn by_name(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The file at `path` under `/assets/` with its `Cache-Control`. The path is `owlbox.css`, or
/// `3f9c0a1b22d4/owlbox.css`. An outdated hash gets the current file, to be revalidated.
#[must_use]
pub fn at(path: &str) -> Option<(&'static Asset, &'static str)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let asset = by_name(name)?;
    let hashed = asset.address.strip_prefix("/assets/") == Some(path);
    Some((asset, if hashed { FOR_EVER } else { CHECK_AGAIN }))
}

/// The hashed address of a file, for templates.
#[must_use]
pub fn address(name: &str) -> &'static str {
    by_name(name).map_or("", |asset| &asset.address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_themes_name_the_same_colours() {
        let css = std::str::from_utf8(by_name("ui.css").unwrap().bytes).unwrap();
        let [day, night] = [".day {", ".night {"].map(|theme| css.split(theme).nth(1).unwrap());
        for colour in ["--ground", "--text", "--accent", "--won", "--lost"] {
            let value = |rule: &str| {
                let declared = rule.split('}').next().unwrap().split(&format!("{colour}: ")).nth(1).unwrap();
                declared.split(';').next().unwrap().to_owned()
            };
            assert_ne!(value(day), value(night), "{colour}");
        }
    }

    #[test]
    fn a_hashed_address_is_kept_for_ever_and_any_other_checked_again() {
        for asset in all() {
            let path = asset.address.strip_prefix("/assets/").unwrap();
            assert_eq!(at(path).map(|(found, keep)| (found.name, keep)), Some((asset.name, FOR_EVER)));
            assert_eq!(at(asset.name).unwrap().1, CHECK_AGAIN);
            assert_eq!(at(&format!("000000000000/{}", asset.name)).unwrap().1, CHECK_AGAIN);
        }
        assert!(at("../Cargo.toml").is_none());
    }
}
