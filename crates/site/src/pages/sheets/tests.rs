//! Sheets are found by their names, and say what is wrong at its field.

use super::*;

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
