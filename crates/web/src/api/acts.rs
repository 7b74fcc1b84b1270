//! How acts and their events stand in the OpenAPI document: shown, they are JSON that the journal keeps, so these types are
//! there for their schemas alone.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::Serialize;
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::chouettes::ActBody;
use owlbox_desk::history::one_of_both;
use owlbox_domain::values::ActId;

/// What stands in the log of every stream beside its own events: one for each act that an undo or a redo names.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum HistoryEvent {
    /// An act was taken back.
    Undone {
        /// Which.
        act: ActId,
    },
    /// An act that had been taken back was put back.
    Redone {
        /// Which.
        act: ActId,
    },
}

/// An event of a stream as it is shown: one of the stream's own, `E`, or `undone` or `redone`.
pub struct Shown<E>(PhantomData<E>);

impl<E: ToSchema> PartialSchema for Shown<E> {
    fn schema() -> RefOr<Schema> {
        one_of_both(E::schema(), HistoryEvent::schema())
    }
}

impl<E: ToSchema> ToSchema for Shown<E> {
    fn name() -> Cow<'static, str> {
        E::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        E::schemas(schemas);
        HistoryEvent::schemas(schemas);
    }
}

/// An act of a stream with events `E`, as [`ActBody`] shows it.
pub struct ActOf<E>(PhantomData<E>);

impl<E: ToSchema> PartialSchema for ActOf<E> {
    fn schema() -> RefOr<Schema> {
        let mut schema = ActBody::schema();
        if let RefOr::T(Schema::Object(act)) = &mut schema {
            let events = ArrayBuilder::new().items(Ref::from_schema_name(E::name())).description(Some(
                "What happened, as far as the caller may see it: the stream's events, or an `undone` or `redone` for every \
                 act that it names.",
            ));
            act.properties.insert("events".to_owned(), Schema::Array(events.build()).into());
        }
        schema
    }
}

impl<E: ToSchema> ToSchema for ActOf<E> {
    fn name() -> Cow<'static, str> {
        format!("{}Act", E::name().trim_end_matches("Event")).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((E::name().into_owned(), Shown::<E>::schema()));
        Shown::<E>::schemas(schemas);
        ActBody::schemas(schemas);
    }
}
