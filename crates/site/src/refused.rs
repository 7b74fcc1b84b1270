//! A form that was refused, as its page draws it again: what was typed and chosen is in it, and beside the
//! field that is wrong stands what is wrong with it.
//!
//! A template asks the [`Frame`](crate::pages::Frame) for the form it draws ([`Filled`]), and has it write
//! the value of each input. A form that was not refused holds what the page offers.

use std::fmt::Display;

use askama::Template;
use askama::filters::{Escaper as _, Html, HtmlSafeOutput};

use crate::form::Form;
use crate::naming;
use crate::pages::Choice;
use crate::pages::fields::steps;
use owlbox_base::code::Code;
use owlbox_desk::Allowed as DeskAllowed;
use owlbox_http::problem::{Allowed, Problem};
use owlbox_locale::Locale;
use owlbox_play::matches::Allowed as MatchAllowed;
use owlbox_play::matches::terms::Contradiction;
use owlbox_play::tournament::Allowed as TournamentAllowed;
use owlbox_play::tournament::settings::Flaw;

/// A form that was refused.
#[derive(Clone, Debug)]
pub struct RefusedForm {
    t: Locale,
    /// The address it was sent to.
    action: String,
    sent: Form,
    wrong: Option<Wrong>,
    pub(crate) problem: Problem,
}

/// The field that a form was refused for.
#[derive(Clone, Debug)]
struct Wrong {
    /// The name of its input.
    name: String,
    /// What is wrong with it, in words. `None` if it cannot be read: what its input takes, the template says.
    why: Option<String>,
    /// Who may be meant by it: the name of the radio buttons, and the buttons.
    choices: Option<(String, Vec<Choice>)>,
}

/// One form of a page: as the page offers it or, if it was refused, as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Filled<'a>(Option<&'a RefusedForm>);

/// A part of a page.
type Markup = HtmlSafeOutput<String>;

/// Radio buttons for the people who may be meant by what was typed.
#[derive(Template)]
#[template(path = "meant.html")]
struct MeantButtons<'a> {
    t: &'a Locale,
    name: &'a str,
    choices: &'a [Choice],
}

fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    // A string takes everything that is written to it.
    let _ = Html.write_escaped_str(&mut written, text);
    written
}

/// Why something was refused, in the reader's language.
pub(crate) fn reason(t: &Locale, problem: &Problem) -> String {
    match (&problem.allowed, &problem.part) {
        (Some(Allowed::Readings(readings)), _) => t.which_of(readings),
        (_, Some(_)) => t.get("form-unreadable"),
        (_, None) => contradiction(t, problem)
            .or_else(|| binary(t, problem))
            .or_else(|| near_name(t, problem))
            .unwrap_or_else(|| t.error(problem.code)),
    }
}

/// Two terms of a match, a money session or a division that contradict each other, with advice.
fn contradiction(t: &Locale, problem: &Problem) -> Option<String> {
    let terms = match &problem.allowed {
        Some(Allowed::Desk(DeskAllowed::Match(MatchAllowed::Terms(terms))))
        | Some(Allowed::Desk(DeskAllowed::Tournament(TournamentAllowed::Flaw(Flaw::Terms(terms))))) => terms,
        _ => return None,
    };
    Some(t.get(match terms {
        Contradiction::HollandWithoutCrawford => "clash-holland-crawford",
        Contradiction::HollandWithoutCube => "clash-holland-cube",
        Contradiction::RatedVariant => "clash-rated-variant",
        Contradiction::CubeInMatchOfVariant | Contradiction::CubeInSessionOfVariant => "clash-variant-cube",
        Contradiction::JacobyWithoutCube => "clash-jacoby-cube",
        Contradiction::AutomaticDoublesWithoutCube => "clash-automatic-cube",
        Contradiction::BeaversUnderCap => "clash-beavers-cube",
    }))
}

/// What a file is that was to be match text and is no text at all.
fn binary(t: &Locale, problem: &Problem) -> Option<String> {
    let Some(Allowed::Desk(DeskAllowed::Match(MatchAllowed::Place { file: Some(file), .. }))) =
        &problem.allowed
    else {
        return None;
    };
    Some(t.get(&format!("file-{}", <&str>::from(file).replace('_', "-"))))
}

/// Asks whether the only one who may be meant is.
fn near_name(t: &Locale, problem: &Problem) -> Option<String> {
    let Some(Allowed::Desk(DeskAllowed::Candidates(candidates))) = &problem.allowed else { return None };
    let [only] = candidates.as_slice() else { return None };
    Some(t.with("error-near-name", "name", &only.name))
}

impl RefusedForm {
    /// The form that was sent to this address and refused.
    pub(crate) fn new(t: &Locale, action: &str, sent: &Form, problem: &Problem) -> Self {
        let place = problem.part.as_deref().or(problem.field.as_deref());
        let wrong = place.map(|place| {
            // A part is named where a value cannot be read. An ambiguous amount has a text of its own.
            let is_unread = problem.part.is_some() && problem.code != Code::AmbiguousAmount;
            let name = sent.name_at(place, is_unread);
            let is_missing = sent.text(&name).is_empty();
            let why = match (is_unread, is_missing) {
                (false, _) => Some(reason(t, problem)),
                (true, true) => Some(t.get("field-missing")),
                (true, false) => None,
            };
            let choices = naming::choices(t, sent, problem);
            Wrong { name, why, choices }
        });
        let (action, sent, problem) = (action.to_owned(), sent.clone(), problem.clone());
        Self { t: *t, action, sent, wrong, problem }
    }

    /// A form that was refused because this field of it cannot be read.
    #[cfg(test)]
    pub(crate) fn sample(t: Locale, action: &str, sent: &[(&str, &str)], name: &str) -> Self {
        let wrong = Some(Wrong { name: name.to_owned(), why: None, choices: None });
        let (action, sent) = (action.to_owned(), Form::filled(sent));
        Self { t, action, sent, wrong, problem: Problem::unreadable(name, "it cannot be read") }
    }

    /// The form that is sent to this address, as it is drawn. It is empty for the one that asks for its page.
    pub fn at<'a>(this: Option<&'a Self>, action: &str) -> Filled<'a> {
        Filled(this.filter(|refused| refused.action == action))
    }
}

impl<'a> Filled<'a> {
    /// The same form, which sends this field unseen: of several forms that go to one address it tells which
    /// was refused.
    pub fn sending(self, name: &str, value: impl Display) -> Self {
        let value = value.to_string();
        Self(self.0.filter(|refused| refused.sent.has(name, &value)))
    }

    /// The same form, which has no such field.
    pub fn lacking(self, name: &str) -> Self {
        Self(self.0.filter(|refused| !refused.sent.ticked(name)))
    }

    /// The same form, which asks for this field.
    pub fn asking(self, name: &str) -> Self {
        Self(self.0.filter(|refused| refused.sent.ticked(name)))
    }

    /// Whether it was refused. What folds around it is open then.
    pub fn is_refused(self) -> bool {
        self.0.is_some()
    }

    /// Whether this is the field that is wrong.
    pub fn is_wrong(self, name: &str) -> bool {
        self.wrong(name).is_some()
    }

    fn wrong(self, name: &str) -> Option<&'a Wrong> {
        self.0?.wrong.as_ref().filter(|wrong| wrong.name == name)
    }

    /// The end of the tag of an input in which something is typed: its value, and whether that is wrong.
    pub fn value(self, name: &str, offered: impl Display) -> Markup {
        // An input that the page did not have when it was sent holds what the page offers.
        let value = match self.asking(name).0 {
            Some(refused) => Some(refused.sent.exact(name).to_owned()),
            None => Some(offered.to_string()).filter(|offered| !offered.is_empty()),
        };
        let value = value.map(|value| format!(" value=\"{}\"", escaped(&value)));
        HtmlSafeOutput(value.unwrap_or_default() + self.mark(name))
    }

    /// The same for an input with a hint, by its id. What is wrong stands in place of it.
    pub fn value_hinted(self, name: &str, offered: impl Display, hint: impl Display) -> Markup {
        let HtmlSafeOutput(end) = self.value(name, offered);
        let hint = if self.is_wrong(name) { String::new() } else { format!(" aria-describedby=\"{hint}\"") };
        HtmlSafeOutput(end + &hint)
    }

    /// What is in a `<textarea>`. It begins on a line of its own: a line break right behind the tag is no
    /// part of the text.
    pub fn text<'v>(self, name: &str, offered: &'v str) -> &'v str
    where
        'a: 'v,
    {
        self.asking(name).0.map_or(offered, |refused| refused.sent.exact(name))
    }

    /// What was typed in all inputs of this name, one a line. Nothing, if the form was not refused.
    pub fn lines(self, name: &str) -> String {
        self.0.map_or_else(String::new, |refused| refused.sent.lines(name))
    }

    /// The end of the tag of a `<select>` or a `<textarea>`.
    pub fn select(self, name: &str) -> Markup {
        HtmlSafeOutput(self.mark(name).to_owned())
    }

    fn mark(self, name: &str) -> &'static str {
        let mark = " aria-invalid=\"true\" aria-describedby=\"wrong-field\" autofocus";
        self.wrong(name).map_or("", |_| mark)
    }

    /// The end of the tag of an option: its value, and whether it was chosen. The page itself offers the
    /// first.
    pub fn option(self, name: &str, value: impl Display) -> Markup {
        self.choice(name, value, false, " selected")
    }

    /// The end of the tag of an option that the page itself may offer as the chosen one.
    pub fn option_chosen(self, name: &str, value: impl Display, offered: bool) -> Markup {
        self.choice(name, value, offered, " selected")
    }

    /// The end of the tag of a check box or a radio button: its value, and whether it is on.
    pub fn tick(self, name: &str, value: impl Display, offered: bool) -> Markup {
        self.choice(name, value, offered, " checked")
    }

    /// Whether one of several values is chosen.
    pub fn has(self, name: &str, value: impl Display, offered: bool) -> bool {
        self.0.map_or(offered, |refused| refused.sent.has(name, &value.to_string()))
    }

    fn choice(self, name: &str, value: impl Display, offered: bool, word: &'static str) -> Markup {
        let chosen = if self.has(name, &value, offered) { word } else { "" };
        HtmlSafeOutput(format!(" value=\"{}\"{chosen}", escaped(&value.to_string())))
    }

    /// The end of the tag of the `<fieldset>` around radio buttons of this name.
    pub fn group(self, name: &str) -> Markup {
        let described = |_: &Wrong| " aria-describedby=\"wrong-field\"".to_owned();
        HtmlSafeOutput(self.wrong_group(name).map(described).unwrap_or_default())
    }

    /// What is wrong with radio buttons of this name, behind the legend.
    pub fn said_of_group(self, name: &str) -> Markup {
        self.said_of(self.wrong_group(name), |t| t.get("field-unreadable"))
    }

    /// Radio buttons of which none was chosen send nothing, so the place that is wrong may be that of the
    /// list they are the first item of, or the bare name of what is missing.
    fn wrong_group(self, name: &str) -> Option<&'a Wrong> {
        let is_it = |wrong: &&Wrong| {
            let (of_group, wrong) = (steps(name), steps(&wrong.name));
            let is_bare = || wrong.len() == 1 && of_group.last() == wrong.first();
            of_group == wrong || of_group.strip_suffix(&["0"]) == Some(wrong.as_slice()) || is_bare()
        };
        self.0?.wrong.as_ref().filter(is_it)
    }

    /// What is wrong with a field, behind its input.
    pub fn said(self, name: &str) -> Markup {
        self.said_of(self.wrong(name), |t| t.get("field-unreadable"))
    }

    /// The same for a field that takes a whole number.
    pub fn said_of_number(self, name: &str, least: impl Display, most: impl Display) -> Markup {
        let (least, most) = (least.to_string(), most.to_string());
        self.said_of(self.wrong(name), |t| t.fill("field-number", &[("least", &least), ("most", &most)]))
    }

    /// The same for a field that takes what the text with this key says.
    pub fn said_with(self, name: &str, key: &str) -> Markup {
        self.said_of(self.wrong(name), |t| t.get(key))
    }

    fn said_of(self, wrong: Option<&Wrong>, unreadable: impl Fn(&Locale) -> String) -> Markup {
        let said = |(refused, wrong): (&RefusedForm, &Wrong)| {
            let why = wrong.why.clone().unwrap_or_else(|| unreadable(&refused.t));
            format!("<span class=\"wrong\" id=\"wrong-field\">{}</span>", escaped(&why))
        };
        HtmlSafeOutput(self.0.zip(wrong).map(said).unwrap_or_default())
    }

    /// The people who may be meant by the name in a field, to be chosen.
    pub fn meant(self, t: &Locale, name: &str) -> Markup {
        let meant = self.wrong(name).and_then(|wrong| wrong.choices.as_ref());
        let buttons = meant.map(|(name, choices)| MeantButtons { t, name, choices });
        // Writing to a string cannot fail.
        HtmlSafeOutput(buttons.and_then(|buttons| buttons.render().ok()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_locale::Language;

    const SENT: [(&str, &str); 5] =
        [("command", "pay"), ("payer", "<\"R&D\">"), ("amount", ""), ("way", "b"), ("means", "bank")];

    fn refused() -> RefusedForm {
        let choices = vec![Choice::new("id Bea", "<Bea>", true), Choice::new("new Bea", "New: Bea", false)];
        RefusedForm {
            t: Locale::new(Language::English, chrono_tz::UTC),
            action: "/daybook".to_owned(),
            sent: Form::filled(&SENT),
            wrong: Some(Wrong {
                name: "payer".to_owned(),
                why: Some("Who's that?".to_owned()),
                choices: Some(("payer_meant".to_owned(), choices)),
            }),
            problem: Problem::unreadable("payer", "nobody is called so"),
        }
    }

    #[test]
    fn every_kind_of_input_holds_what_was_sent() {
        let refused = refused();
        let form = RefusedForm::at(Some(&refused), "/daybook");
        assert_eq!(form.value("amount", "5").to_string(), " value=\"\"");
        assert_eq!(form.option("way", "b").to_string(), " value=\"b\" selected");
        assert_eq!(form.option_chosen("way", "a", true).to_string(), " value=\"a\"");
        assert_eq!(form.tick("means", "bank", false).to_string(), " value=\"bank\" checked");
        assert_eq!(form.tick("means", "cash", true).to_string(), " value=\"cash\"");
        assert_eq!(form.text("payer", "before"), "<\"R&D\">");
        assert_eq!(form.value("added_since", "5").to_string(), " value=\"5\"");
    }

    #[test]
    fn what_is_wrong_is_said_beside_its_field_alone_and_who_may_be_meant() {
        let refused = refused();
        let form = RefusedForm::at(Some(&refused), "/daybook");
        let marked = " value=\"&#60;&#34;R&#38;D&#34;&#62;\" aria-invalid=\"true\" \
            aria-describedby=\"wrong-field\" autofocus";
        assert_eq!(form.value("payer", "").to_string(), marked);
        let said = "<span class=\"wrong\" id=\"wrong-field\">Who&#39;s that?</span>";
        assert_eq!(form.said("payer").to_string(), said);
        assert_eq!(form.said("amount").to_string(), "");
        let t = Locale::new(Language::English, chrono_tz::UTC);
        let buttons = "<fieldset class=\"meant\"><legend>Who is meant?</legend>\
            <label class=\"check\"><input type=\"radio\" name=\"payer_meant\" value=\"id Bea\" checked>\
            <span>&#60;Bea&#62;</span></label>\
            <label class=\"check\"><input type=\"radio\" name=\"payer_meant\" value=\"new Bea\">\
            <span>New: Bea</span></label></fieldset>";
        assert_eq!(form.meant(&t, "payer").to_string(), buttons);
        assert_eq!(form.meant(&t, "amount").to_string(), "");
    }

    /// Lines move when somebody else acts in between: what was typed for one player never stands beside
    /// another.
    #[test]
    fn a_line_of_somebody_else_holds_what_its_page_offers() {
        let sent = [("awards[0][player]", "anna"), ("awards[0][amount]", "300")];
        let refused = RefusedForm::sample(Locale::new(Language::English, chrono_tz::UTC), "/act", &sent, "");
        let form = RefusedForm::at(Some(&refused), "/act");
        let line = |player: &str| form.sending("awards[0][player]", player).value("awards[0][amount]", "50");
        assert_eq!(line("anna").to_string(), " value=\"300\"");
        assert_eq!(line("bea").to_string(), " value=\"50\"");
        assert!(form.lacking("awards[1][player]").is_refused());
        assert!(!form.lacking("awards[0][player]").is_refused());
    }

    #[test]
    fn a_hint_gives_way_to_what_is_wrong() {
        let refused = refused();
        let form = RefusedForm::at(Some(&refused), "/daybook");
        let hinted = |name: &str| form.value_hinted(name, "", "the-hint").to_string();
        assert_eq!(hinted("amount"), " value=\"\" aria-describedby=\"the-hint\"");
        assert_eq!(hinted("payer").matches("aria-describedby").count(), 1);
        assert!(hinted("payer").contains("wrong-field"));
    }

    #[test]
    fn a_form_that_was_not_refused_holds_what_its_page_offers() {
        let refused = refused();
        let forms = [
            RefusedForm::at(None, "/daybook"),
            RefusedForm::at(Some(&refused), "/other"),
            RefusedForm::at(Some(&refused), "/daybook").sending("command", "charge"),
            RefusedForm::at(Some(&refused), "/daybook").asking("payee"),
        ];
        for form in forms {
            assert!(!form.is_refused());
            assert_eq!(form.value("amount", "5").to_string(), " value=\"5\"");
            assert_eq!(form.value("payer", "").to_string(), "");
            assert_eq!(form.tick("means", "bank", true).to_string(), " value=\"bank\" checked");
            assert_eq!(form.text("payer", "before"), "before");
        }
        let same = RefusedForm::at(Some(&refused), "/daybook").sending("command", "pay").asking("payer");
        assert!(same.is_refused());
    }
}
