//! Forms in pages, filled in again.

use super::*;
use owlbox_locale::Language;

fn shown(page: &str, sent: &[(&str, &str)], wrong: Option<(&str, Option<&str>)>) -> String {
    let sent: Vec<(String, String)> =
        sent.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let wrong = wrong.map(|(field, why)| WrongField { field, why, choices: None });
    let t = Locale::new(Language::English, chrono_tz::UTC);
    RefusedForm { method: "post", action: "/act", sent: &sent, wrong }.put_into(page, &t)
}

#[test]
fn every_kind_of_input_holds_what_was_sent() {
    let page = "<form method=\"post\" action=\"/act\"><input type=\"hidden\" name=\"command\" value=\"go\">\
        <input name=\"text\" value=\"before\"><textarea name=\"more\">was</textarea>\
        <select name=\"one\"><option value=\"a\" selected>A</option><option value=\"b\">B</option></select>\
        <input type=\"checkbox\" name=\"tick\" value=\"1\" checked><input type=\"checkbox\" name=\"tick\" value=\"2\">\
        <input type=\"radio\" name=\"pick\" value=\"x\"><input type=\"radio\" name=\"pick\" value=\"y\"><button>Go</button></form>";
    let sent = [
        ("command", "go"),
        ("text", "<\"R&D\">"),
        ("more", "two\nlines"),
        ("one", "b"),
        ("tick", "2"),
        ("pick", "y"),
    ];
    let expected = "<form method=\"post\" action=\"/act\"><input type=\"hidden\" name=\"command\" value=\"go\">\
        <input name=\"text\" value=\"&#60;&#34;R&#38;D&#34;&#62;\"><textarea name=\"more\">\ntwo\nlines</textarea>\
        <select name=\"one\"><option value=\"a\">A</option><option value=\"b\" selected>B</option></select>\
        <input type=\"checkbox\" name=\"tick\" value=\"1\"><input type=\"checkbox\" name=\"tick\" value=\"2\" checked>\
        <input type=\"radio\" name=\"pick\" value=\"x\"><input type=\"radio\" name=\"pick\" value=\"y\" checked><button>Go</button></form>";
    assert_eq!(shown(page, &sent, None), expected);
    // Shown once more, it is what it was.
    assert_eq!(shown(expected, &sent, None), expected);
}

#[test]
fn the_form_is_the_one_with_the_same_hidden_fields() {
    let form = |action: &str, by: &str, value: &str| {
        format!(
            "<form method=\"post\" action=\"{action}\"><input type=\"hidden\" name=\"key\" value=\"new\">\
             <input type=\"hidden\" name=\"by\" value=\"{by}\"><input name=\"points\"{value}></form>"
        )
    };
    let page = |value: &str| {
        form("/act", "upper", "") + &form("/act", "lower", value) + &form("/other", "lower", "")
    };
    let sent = [("key", "old"), ("by", "lower"), ("points", "7")];
    assert_eq!(shown(&page(""), &sent, None), page(" value=\"7\""));
    let nobody = [("by", "nobody"), ("points", "7")];
    assert_eq!(shown(&page(""), &nobody, None), page(""));
}

#[test]
fn what_is_wrong_stands_beside_its_field_and_nothing_is_folded_over_it() {
    let page = "<details><summary>Other</summary></details><details id=\"around\"><summary>More</summary>\
        <form method=\"post\" action=\"/act\"><input name=\"score[0]:number\" min=\"0\" max=\"7\">\
        <details><summary>Yet more</summary><input name=\"score[1]:number\" min=\"0\" max=\"7\"></details></form></details>";
    let marked = |sent: [&str; 2], field: &str, why: Option<&str>| {
        let sent = [("score[0]:number", sent[0]), ("score[1]:number", sent[1])];
        let shown = shown(page, &sent, Some((field, why)));
        assert_eq!(
            shown.matches("aria-invalid=\"true\" aria-describedby=\"wrong-field\"").count(),
            1,
            "{shown}"
        );
        let (input, said) = shown.split_once("<span class=\"wrong\" id=\"wrong-field\">").unwrap();
        let second = input.contains("name=\"score[1]");
        assert!(shown.starts_with("<details><summary>Other"), "{shown}");
        assert!(shown.contains("<details id=\"around\" open>"), "{shown}");
        assert_eq!(shown.contains("<details open>"), second, "{shown}");
        (second, said.split("</span>").next().unwrap().to_owned())
    };
    let number = "A whole number from 0 to 7.".to_owned();
    assert_eq!(marked(["5", "x"], "score[1]", None), (true, number.clone()));
    assert_eq!(marked(["x", "5"], "score[0]", None), (false, number));
    // A list that is too short lacks what was left empty.
    assert_eq!(marked(["5", ""], "score", None), (true, "This has to be filled in.".to_owned()));
    assert_eq!(marked(["5", "6"], "score", Some("Not so.")), (false, "Not so.".to_owned()));
}

#[test]
fn a_group_of_radio_buttons_says_it_below_its_legend() {
    let page = "<form method=\"post\" action=\"/act\"><fieldset><legend>White</legend><label><input type=\"radio\" \
        name=\"action[dice][0]:number\" value=\"1\"></label></fieldset><fieldset><legend>Black</legend><label><input \
        type=\"radio\" name=\"action[dice][1]:number\" value=\"1\"></label></fieldset></form>";
    let shown = shown(page, &[("action[dice][0]:number", "1")], Some(("action[dice]", None)));
    let expected = "<fieldset aria-describedby=\"wrong-field\"><legend>Black</legend>\
        <span class=\"wrong\" id=\"wrong-field\">This has to be filled in.</span>";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn a_field_of_the_command_is_found_where_it_is_typed_as_something_else() {
    let page = "<form method=\"post\" action=\"/act\"><input name=\"minutes:number\"></form>";
    for field in ["until", "minutes"] {
        let shown = shown(page, &[("minutes:number", "9")], Some((field, Some("Too long."))));
        assert!(shown.contains("Too long."), "{field}: {shown}");
    }
}

#[test]
fn what_looks_like_a_form_but_is_none_is_left_alone() {
    let form = "<form method=\"post\" action=\"/act\"><input name=\"text\"></form>";
    for page in [
        format!("<!-- {form} -->"),
        format!("<script>{form}</script>"),
        format!("<textarea>{form}</textarea>"),
        "<form method=\"post\" action=\"/act\"".to_owned(),
        "1 < 2 <".to_owned(),
        String::new(),
    ] {
        assert_eq!(shown(&page, &[("text", "x")], Some(("text", None))), page);
    }
    let beside = format!("<p title=\"a > b\">1 < 2</p>{form}");
    let expected = "<p title=\"a > b\">1 < 2</p><form method=\"post\" action=\"/act\"><input name=\"text\" value=\"x\"></form>";
    assert_eq!(shown(&beside, &[("text", "x")], None), expected);
}

proptest::proptest! {
    #[test]
    fn any_page_is_read(page in "(<|>|\"|=|&|;|#|/|!|-|form|input|name|post|act|details|a| |ä){0,60}") {
        shown(&page, &[("a", "ä")], Some(("a", None)));
    }
}

/// Whoever may be meant by a name is chosen beside it: behind the label around the field, or the line with its button,
/// never within it.
#[test]
fn who_may_be_meant_is_chosen_behind_the_label_of_the_field() {
    let choices = (
        "payer_meant".to_owned(),
        vec![Choice::new("id Bea", "<Bea>", true), Choice::new("new Bea", "New: Bea", false)],
    );
    let t = Locale::new(Language::English, chrono_tz::UTC);
    let refused = |page: &str| {
        let sent = [("payer".to_owned(), "Bea".to_owned())];
        let wrong = WrongField { field: "payer", why: Some("Who?"), choices: Some(&choices) };
        RefusedForm { method: "post", action: "/act", sent: &sent, wrong: Some(wrong) }.put_into(page, &t)
    };
    let buttons = "<fieldset class=\"meant\"><legend>Who is meant?</legend>\
        <label class=\"check\"><input type=\"radio\" name=\"payer_meant\" value=\"id Bea\" checked><span>&#60;Bea&#62;</span></label>\
        <label class=\"check\"><input type=\"radio\" name=\"payer_meant\" value=\"new Bea\"><span>New: Bea</span></label></fieldset>";
    for (before, after) in [
        ("<label>Payer <input name=\"payer\"></label>", "<p></p>"),
        (
            "<div class=\"inline\"><input name=\"payer\"><button>Go</button></div>",
            "<div class=\"inline\"></div>",
        ),
        ("<label for=\"payer\">Payer</label><input name=\"payer\">", "<button>Go</button>"),
    ] {
        let page = format!("<form method=\"post\" action=\"/act\">{before}{after}</form>");
        let shown = refused(&page);
        let (said, behind) = shown.split_once(buttons).unwrap_or_else(|| panic!("no buttons: {shown}"));
        assert!(said.contains("value=\"Bea\"") && said.contains(">Who?</span>"), "{shown}");
        assert_eq!(behind, format!("{after}</form>"));
    }
}
