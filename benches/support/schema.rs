//! A separate schema in the PostgreSQL of the tests.

/// The URL of a new schema, which differs from those of other names, in the PostgreSQL at `url`.
pub fn fresh_schema(url: &str, name: &str) -> String {
    use diesel::connection::SimpleConnection as _;
    let schema = format!("bench_{name}_{}", std::process::id());
    let mut connection =
        owlbox_store::connection::connect(&url.parse().expect("a URL"), owlbox_store::Use::Write)
            .expect("PostgreSQL");
    connection.batch_execute(&format!("CREATE SCHEMA {schema}")).expect("a schema");
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-csearch_path%3D{schema}")
}
