//! A separate schema in the PostgreSQL of the tests.

/// The URL of a new schema, which differs from those of other names, in the PostgreSQL at `url`.
#[cfg(feature = "postgres")]
pub fn fresh_schema(url: &str, name: &str) -> String {
    use diesel::connection::SimpleConnection as _;
    use diesel::{Connection as _, PgConnection};
    let schema = format!("bench_{name}_{}", std::process::id());
    let mut connection = PgConnection::establish(url).expect("PostgreSQL");
    connection.batch_execute(&format!("CREATE SCHEMA {schema}")).expect("a schema");
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-csearch_path%3D{schema}")
}

#[cfg(not(feature = "postgres"))]
pub fn fresh_schema(_: &str, _: &str) -> String {
    panic!("this build has no PostgreSQL")
}
