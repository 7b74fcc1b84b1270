//! An answer of each operation as an example: those of a club's first evening, which `tests/it/answers.rs`
//! keeps in `answers.json`.

use serde_json::{Map, Value};

const ANSWERS: &str = include_str!("../../answers.json");

/// Shows with every operation its answer, as JSON where it has several forms.
///
/// # Errors
/// The file is not JSON.
pub fn show(document: &mut Value) -> serde_json::Result<()> {
    let answers: Map<String, Value> = serde_json::from_str(ANSWERS)?;
    for (name, answer) in answers {
        let Some((method, path)) = name.split_once(' ') else { continue };
        let methods = document["paths"].get_mut(path);
        let Some(operation) = methods.and_then(|methods| methods.get_mut(method.to_lowercase())) else {
            continue;
        };
        let responses = operation["responses"].as_object_mut().into_iter().flatten();
        let good = responses.filter(|(status, _)| status.starts_with('2'));
        let mut contents = good.filter_map(|(_, response)| response["content"].as_object_mut());
        let Some(contents) = contents.next() else { continue };
        let form = match contents.get_mut("application/json") {
            Some(json) => Some(json),
            None => contents.values_mut().next(),
        };
        if let Some(form) = form {
            form["example"] = answer;
        }
    }
    Ok(())
}
