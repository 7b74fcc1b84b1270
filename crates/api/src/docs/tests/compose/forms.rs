//! What schemas say about numbers and about pages of lists, where the derives say too little or too much.

use serde_json::{Map, Value, json};

/// The API's integer formats, with the least and the greatest value of each.
fn range(format: &str) -> Option<(&'static str, Value, Value)> {
    Some(match format {
        "u-int8" => ("uint8", u8::MIN.into(), u8::MAX.into()),
        "u-int16" => ("uint16", u16::MIN.into(), u16::MAX.into()),
        "u-int32" => ("uint32", u32::MIN.into(), u32::MAX.into()),
        "u-int64" => ("uint64", u64::MIN.into(), u64::MAX.into()),
        "int8" => ("int8", i8::MIN.into(), i8::MAX.into()),
        "int16" => ("int16", i16::MIN.into(), i16::MAX.into()),
        "int32" => ("int32", i32::MIN.into(), i32::MAX.into()),
        "int64" => ("int64", i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    })
}

/// Adds bounds to every integer, and the type of its items to every page.
pub fn settle(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    // A version is an `i64`; a component of that name tells nobody anything.
    schemas.remove("i64");
    refer_to_items(schemas);
    bound(document);
}

/// Refers to the component of a page's items, which the derive writes out in full.
fn refer_to_items(schemas: &mut Map<String, Value>) {
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        let Some(item) =
            name.split_once('_').map(|(_, item)| item).filter(|item| schemas.contains_key(*item))
        else {
            continue;
        };
        let to = json!({ "$ref": format!("#/components/schemas/{item}") });
        if let Some(items) =
            schemas.get_mut(&name).and_then(|page| page.pointer_mut("/properties/items/items"))
        {
            *items = to;
        }
    }
}

fn bound(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(bound),
        Value::Object(fields) => {
            if fields.get("$ref").is_some_and(|to| to == "#/components/schemas/i64") {
                fields.remove("$ref");
                fields.extend([("type".to_owned(), "integer".into()), ("format".to_owned(), "int64".into())]);
            }
            let known = fields.get("format").and_then(Value::as_str).and_then(range);
            if let Some((format, least, greatest)) = known {
                fields.insert("format".to_owned(), format.into());
                // The component that a field refers to may be stricter than the field's own type.
                fields.entry("minimum").or_insert(least);
                fields.entry("maximum").or_insert(greatest);
            }
            if fields.get("items").is_some_and(|items| items == false) {
                bound_tuple(fields);
            }
            for field in fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
                make_constant(field.1);
            }
            // On an optional field it says nothing, and on one that takes no `null` it is wrong.
            if fields.get("default").is_some_and(Value::is_null) {
                fields.remove("default");
            }
            fields.values_mut().for_each(bound);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A tuple has exactly its items. Not every reader knows `items: false` and `prefixItems`; all of them know
/// two numbers, and one kind of item.
fn bound_tuple(fields: &mut Map<String, Value>) {
    let Some(each) = fields.get("prefixItems").and_then(Value::as_array).cloned() else { return };
    for bound in ["minItems", "maxItems"] {
        fields.insert(bound.to_owned(), each.len().into());
    }
    let mut kinds: Vec<Value> = Vec::new();
    for item in each {
        if !kinds.contains(&item) {
            kinds.push(item);
        }
    }
    let any = match kinds.as_slice() {
        [only] => only.clone(),
        _ => json!({ "anyOf": kinds }),
    };
    fields.insert("items".to_owned(), any);
}

/// Gives a field with one possible value a constant, for which generated clients need no type.
fn make_constant(field: &mut Value) {
    let Some(fields) = field.as_object_mut() else { return };
    if let Some([Value::String(only)]) = fields.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
        let only = only.clone();
        fields.remove("enum");
        fields.insert("const".to_owned(), only.into());
    }
}
