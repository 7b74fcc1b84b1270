//! Numbers are read as people mean them.

use super::*;

#[test]
fn points_are_read_as_people_type_them() {
    let cases = [
        ("3", Some(6)),
        ("1.5", Some(3)),
        ("1,5", Some(3)),
        ("1½", Some(3)),
        ("½", Some(1)),
        ("0", Some(0)),
        ("2.0", Some(4)),
        ("1.3", None),
        ("-1", None),
        ("", None),
        ("three", None),
        ("99999999999999999999", None),
    ];
    for (typed, points) in cases {
        assert_eq!(half_points(typed), points.map(HalfPoints), "{typed}");
    }
}

#[test]
fn every_sheet_has_a_name_of_its_own_by_which_it_is_found() {
    for kind in SheetKind::ALL {
        assert_eq!(SheetKind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(SheetKind::from_name("act"), None);
    assert_eq!(SheetKind::from_name("finish"), None, "the end of a game has a sheet of its own");
}

#[test]
fn what_is_wrong_is_said_at_the_field_or_above_all() {
    let field = |name: &str| Field::new(name, name, FieldKind::Typed(String::new(), "text"));
    let group = Group { fields: vec![field("payer"), field("amount.1.2")], ..Group::default() };
    let form = SheetForm { groups: vec![group], ..SheetForm::default() };
    let mut draft = Draft { forms: vec![form], ..Draft::default() };
    draft.mark(Some("amount"), "too much".into());
    assert_eq!(draft.forms[0].groups[0].fields[1].wrong.as_deref(), Some("too much"));
    draft.mark(Some("pay"), "no such field".into());
    draft.mark(None, "closed".into());
    assert_eq!(draft.wrong.as_deref(), Some("closed"));
    assert_eq!(draft.forms[0].groups[0].fields[0].wrong, None);
}
