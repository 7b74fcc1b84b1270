//! The frames of live streams: the events that the server sends, whose data is JSON.
//!
//! OpenAPI 3.1 knows no streams. As is usual, the schema of `text/event-stream` describes one event with its
//! fields, and `contentSchema` says what the text of its data holds.

use serde_json::{Value, json};

/// Describes the frames of every stream: acts, in the form in which the log beside it lists them.
pub fn describe(document: &mut Value) {
    let streams: Vec<(String, String)> = document["paths"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, methods)| methods.pointer(SCHEMA).is_some())
        .filter_map(|(path, _)| Some((path.clone(), act_of(document, path)?)))
        .collect();
    for (path, act) in streams {
        let frame = format!("{}Frame", act.trim_end_matches("Act"));
        if let Some(schema) = document["paths"][&path].pointer_mut(SCHEMA) {
            *schema = json!({ "$ref": format!("#/components/schemas/{frame}") });
        }
        document["components"]["schemas"][frame] = frame_with(&act);
    }
    describe_club(document);
}

/// The kinds of streams as the stream of the whole club names them, with the components of their acts.
const KINDS: [(&str, &str); 3] =
    [("chouette", "ChouetteAct"), ("match", "SheetAct"), ("tournament", "TournamentAct")];

/// Describes the frames of the whole club's stream: acts of the other streams, each with the kind and the id
/// of its own.
fn describe_club(document: &mut Value) {
    let Some(schema) = document["paths"]["/api/v1/events"].pointer_mut(SCHEMA) else { return };
    *schema = json!({ "$ref": "#/components/schemas/ClubFrame" });
    let schemas = &mut document["components"]["schemas"];
    let mut mapping = serde_json::Map::new();
    for (kind, act) in KINDS {
        let mut act_of_club = schemas[act].clone();
        act_of_club["description"] = format!("An act of a {kind}.").into();
        act_of_club["properties"]["kind"] =
            json!({ "type": "string", "const": kind, "description": "The kind of stream." });
        act_of_club["properties"]["id"] =
            json!({ "type": "string", "format": "uuid", "description": format!("The {kind}.") });
        if let Some(required) = act_of_club["required"].as_array_mut() {
            required.extend(["kind".into(), "id".into()]);
        }
        schemas[format!("Club{act}")] = act_of_club;
        mapping.insert(kind.to_owned(), format!("#/components/schemas/Club{act}").into());
    }
    let each: Vec<Value> = mapping.values().map(|act| json!({ "$ref": act })).collect();
    schemas["ClubAct"] = json!({
        "description": "An act of any stream of the club: skip those whose `kind` you do not know.",
        "oneOf": each,
        "discriminator": { "propertyName": "kind", "mapping": mapping }
    });
    let mut frame = frame_with("ClubAct");
    frame["properties"]["id"] = json!({
        "type": "string", "pattern": "^(0|[1-9][0-9]*[.][1-9][0-9]*[.][0-9a-f]{8})$", "example": "1042.17.9f3a61c2",
        "description": "For `Last-Event-ID`. It also comes without an act: at the beginning, and between acts"
    });
    schemas["ClubFrame"] = frame;
}

/// Where an operation describes a stream's frames.
const SCHEMA: &str = "/get/responses/200/content/text~1event-stream/schema";

/// The component that the log beside a stream lists.
fn act_of(document: &Value, path: &str) -> Option<String> {
    let log = &document["paths"][format!("{}/acts", path.strip_suffix("/events")?)];
    let page = log.pointer("/get/responses/200/content/application~1json/schema/$ref")?.as_str()?;
    Some(page.strip_prefix("#/components/schemas/Page_")?.to_owned())
}

fn frame_with(act: &str) -> Value {
    json!({
        "type": "object",
        "description": "One frame of the live stream: an act. Comments (`:`) between frames show that the connection is alive.",
        "required": ["id", "event", "data"],
        "properties": {
            "id": {
                "type": "string", "pattern": "^[1-9][0-9]*$", "example": "15",
                "description": "The stream's version after the act: for `Last-Event-ID`"
            },
            "event": { "type": "string", "const": "act", "description": "What kind of frame it is." },
            "data": {
                "type": "string",
                "description": "The act as in the log, as JSON",
                "contentMediaType": "application/json",
                "contentSchema": { "$ref": format!("#/components/schemas/{act}") }
            },
            "retry": {
                "type": "integer", "minimum": 0,
                "description": "After how many milliseconds to connect again; sent once, with no frame"
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stream_tells_of_its_frames_and_of_the_acts_in_them() {
        let document = crate::docs::tests::compose::document(
            &owlbox_http::config::Config::from_layers(None, []).unwrap().limits,
        )
        .unwrap();
        let paths = document["paths"].as_object().unwrap();
        let streams: Vec<&Value> = paths.values().filter_map(|methods| methods.pointer(SCHEMA)).collect();
        assert_eq!(streams.len(), 4, "{streams:?}");
        for stream in streams {
            let frame = stream["$ref"].as_str().unwrap().trim_start_matches('#');
            let act = &document.pointer(frame).unwrap()["properties"]["data"]["contentSchema"]["$ref"];
            assert!(
                document.pointer(act.as_str().unwrap().trim_start_matches('#')).is_some(),
                "{frame}: {act}"
            );
        }
    }
}
