//! A change of some of the club's settings.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Settings;

/// What is to change, as RFC 7396 merges it: a field that is named is set, `null` puts it back to what a new
/// club has, and whatever is not named stays - within `public` and `seat_words` as well. So a client that
/// does not know a setting never changes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Map<String, Value>")]
#[cfg_attr(feature = "schema", schema(as = ClubSettingsChange, value_type = Object))]
pub struct SettingsChange(Map<String, Value>);

impl SettingsChange {
    /// These settings with the change.
    ///
    /// # Errors
    /// Not if the change was read: then it fits the settings of every club, because no two of them depend on
    /// each other.
    pub fn onto(&self, settings: &Settings) -> serde_json::Result<Settings> {
        let mut whole = serde_json::to_value(settings)?;
        merge(&mut whole, &self.0);
        Settings::deserialize(whole)
    }

    /// Whether it says anything of this field.
    #[must_use]
    pub fn names(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }
}

impl TryFrom<Map<String, Value>> for SettingsChange {
    type Error = serde_json::Error;
    fn try_from(named: Map<String, Value>) -> serde_json::Result<Self> {
        let change = Self(named);
        change.onto(&Settings::default())?;
        Ok(change)
    }
}

fn merge(whole: &mut Value, named: &Map<String, Value>) {
    let Some(fields) = whole.as_object_mut() else {
        *whole = named.clone().into();
        return;
    };
    for (field, value) in named {
        match value {
            Value::Null => drop(fields.remove(field)),
            Value::Object(parts) => merge(fields.entry(field).or_insert(Value::Null), parts),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                fields.insert(field.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(change: Value) -> Result<Value, String> {
        let before = json!({
            "name": "Gufi", "time_zone": "Europe/Rome", "currencies": ["EUR", "CHF"],
            "public": {"tables": true, "standings": true}, "exposure_limit": 64, "highest_cube": 128, "language": "it",
            "seat_words": {"box": "Capo", "captain": "Capitano", "crew": null}, "iban": "DE89370400440532013000",
            "seasons": [{"name": "Winter", "from": "2026-10-01", "until": "2027-03-31", "coming": 1}]
        });
        let before: Settings = serde_json::from_value(before).unwrap();
        let change: SettingsChange = serde_json::from_value(change).map_err(|error| error.to_string())?;
        let after = serde_json::to_value(change.onto(&before).unwrap()).unwrap();
        let before = serde_json::to_value(before).unwrap();
        let differ = after.as_object().unwrap().iter().filter(|(field, value)| before[*field] != **value);
        Ok(differ.map(|(field, value)| (field.clone(), value.clone())).collect::<Map<_, _>>().into())
    }

    #[test]
    fn what_is_not_named_stays_and_null_clears() {
        assert_eq!(changed(json!({})).unwrap(), json!({}));
        assert_eq!(changed(json!({"exposure_limit": 8})).unwrap(), json!({"exposure_limit": 8}));
        let clears = json!({"exposure_limit": null, "iban": null, "highest_cube": null, "seasons": null});
        let cleared = json!({"exposure_limit": null, "iban": null, "highest_cube": 64, "seasons": []});
        assert_eq!(changed(clears).unwrap(), cleared);
        let parts = json!({"public": {"standings": false}, "seat_words": {"captain": null}});
        let merged = json!({
            "public": {"tables": true, "standings": false},
            "seat_words": {"box": "Capo", "captain": null, "crew": null}
        });
        assert_eq!(changed(parts).unwrap(), merged);
        assert_eq!(changed(json!({"currencies": ["CHF"]})).unwrap(), json!({"currencies": ["CHF"]}));
    }

    #[test]
    fn a_change_is_as_strict_as_the_settings() {
        for wrong in [
            json!({"nonsense": 1}),
            json!({"nonsense": {"a": 1}}),
            json!({"public": {"nonsense": true}}),
            json!({"public": null}),
            json!({"name": null}),
            json!({"name": {"it": "Gufi"}}),
            json!({"currencies": []}),
            json!({"highest_cube": 5}),
            json!({"exposure_limit": "8"}),
            json!({"seat_words": {"box": " "}}),
            json!([]),
        ] {
            assert!(changed(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
