//! How commands are read from JSON and written as such.

/// Lets a type whose `serde` is derived with `remote = "Self"` be read by way of a value. Reading dozens of
/// types is then compiled once for each command, here, and not in every crate for each kind of input.
#[macro_export]
macro_rules! read_by_value {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                fn read(value: serde_json::Value) -> serde_json::Result<$type> {
                    <$type>::deserialize(value)
                }
                read(serde_json::Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$type>::serialize(self, serializer)
            }
        }
    };
}

/// Reads a tagged value nested in another, for `#[serde(deserialize_with)]` on a command's field.
///
/// Serde reads the inside of a tagged value from a buffered copy, and there it accepts a number in place of a
/// tag: `{"of": 0}` would mean the first variant, whichever that is today. Going through a JSON value, it
/// accepts names only.
pub fn by_name<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
    T::deserialize(value).map_err(serde::de::Error::custom)
}
