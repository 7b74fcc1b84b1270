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
            "event": { "type": "string", "const": "act" },
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
        assert_eq!(streams.len(), 3, "{streams:?}");
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
