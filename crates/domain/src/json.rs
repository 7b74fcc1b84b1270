//! How commands are read from JSON and written as such.

/// Lets a type whose `serde` is derived with `remote = "Self"` be read by way of a value. Reading dozens of types is
/// then compiled once for each command, here, and not in every crate for each kind of input.
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
pub(crate) use read_by_value;
