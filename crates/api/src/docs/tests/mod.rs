//! Whether the file `openapi.json` is what the handlers and their types declare.

mod compose;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use self::compose::Declared;
use super::COMPOSED;
use owlbox_http::config::{Config, Limits};
use serde_json::Value;

/// Every change of the API shows in the file: look at it, then bless it with `OWLBOX_BLESS=1`.
#[test]
fn the_file_is_what_the_handlers_declare() {
    let limits = Config::from_layers(None, []).unwrap().limits;
    let composed = serde_json::to_string_pretty(&compose::document(&limits).unwrap()).unwrap() + "\n";
    if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/openapi.json"), composed).unwrap();
    } else {
        let first = COMPOSED.lines().zip(composed.lines()).find(|(kept, made)| kept != made);
        assert!(COMPOSED == composed, "openapi.json is out of date: {first:#?}");
    }
}

#[test]
fn the_document_tells_the_page_sizes_of_its_own_service() {
    let usual = Config::from_layers(None, []).unwrap().limits;
    let limits = Limits { page_size: 7, page_size_max: 9, ..usual.clone() };
    let served = super::document(&limits).unwrap();
    assert!(served == compose::document(&limits).unwrap());
    let limit = |document: &Value| {
        let parameters = document["paths"]["/api/v1/players"]["get"]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == "limit").unwrap()["schema"].clone()
    };
    let [told, usually] = [&served, &super::document(&usual).unwrap()].map(limit);
    assert_eq!((&told["minimum"], &told["default"], &told["maximum"]), (&1.into(), &7.into(), &9.into()));
    assert_eq!(usually["maximum"], usual.page_size_max);
}

#[test]
fn no_two_types_have_one_name_in_the_document() {
    let mut declared = Declared::default();
    crate::configure(&mut declared);
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, schema) in declared.schemas {
        told.entry(name).or_default().insert(serde_json::to_string(&schema).unwrap());
    }
    assert!(told.len() > 200, "the handlers no longer say what they speak of");
    told.retain(|_, schemas| schemas.len() > 1);
    assert!(told.is_empty(), "{told:#?}");
}
