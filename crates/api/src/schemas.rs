//! Schemas of the OpenAPI document that cannot be derived from a type.

use std::borrow::Cow;
use std::marker::PhantomData;

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Required, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::acts::{ActBody, HistoryEvent};
use owlbox_base::permissions::OrderKind;
use owlbox_desk::commands::history::one_of_both;
use owlbox_play::tournament::CommandKind;

/// The schema of an event as it is shown: one of the stream's own, `E`, or `undone` or `redone`.
pub struct EventOf<E>(PhantomData<E>);

impl<E: ToSchema> PartialSchema for EventOf<E> {
    fn schema() -> RefOr<Schema> {
        one_of_both(E::schema(), HistoryEvent::schema())
    }
}

impl<E: ToSchema> ToSchema for EventOf<E> {
    fn name() -> Cow<'static, str> {
        E::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        E::schemas(schemas);
        HistoryEvent::schemas(schemas);
    }
}

/// The schema of an [`ActBody`] of a stream with events `E`.
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
        schemas.push((E::name().into_owned(), EventOf::<E>::schema()));
        EventOf::<E>::schemas(schemas);
        ActBody::schemas(schemas);
    }
}

/// The schema of the names of a tournament's commands.
pub struct CommandName;

impl PartialSchema for CommandName {
    fn schema() -> RefOr<Schema> {
        let names = OrderKind::<CommandKind>::all().map(OrderKind::name);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
            .description(Some("A command of a tournament, by its name."))
            .build()
            .into()
    }
}

impl ToSchema for CommandName {
    fn name() -> Cow<'static, str> {
        "TournamentCommandName".into()
    }
}

/// The headers of a command.
pub struct Conditions;

impl IntoParams for Conditions {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        conditions("The version you saw")
    }
}

/// The headers of a command to the club, which has one version for all that it holds.
pub struct ClubConditions;

impl IntoParams for ClubConditions {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        conditions("The version of the club you saw")
    }
}

fn conditions(version: &str) -> Vec<Parameter> {
    let header = |(name, about): (&str, &str)| {
        let optional = ParameterBuilder::new().parameter_in(ParameterIn::Header).required(Required::False);
        optional.name(name).description(Some(about)).schema(Some(String::schema())).build()
    };
    [("If-Match", version), ("Idempotency-Key", "Makes a retry safe")].map(header).into()
}
