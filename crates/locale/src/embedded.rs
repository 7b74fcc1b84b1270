/// A text of the repository, by its path there. A release has it in the binary. A debug build reads it as it
/// first needs it, so a change is seen at the next start, without building.
#[cfg(not(debug_assertions))]
#[macro_export]
macro_rules! embedded {
    ($path:expr) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path))
    };
}

#[cfg(debug_assertions)]
#[macro_export]
macro_rules! embedded {
    ($path:expr) => {{
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path);
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        &*text.leak()
    }};
}
