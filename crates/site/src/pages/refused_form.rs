//! A form that was refused, in the page that is shown again: what was typed and chosen is in it, what folds around it
//! is open, and beside the field that is wrong stands what is wrong with it.
//!
//! This is done to the page once it is written, so that no template has to know of it: of the forms that are sent to the
//! same address it is the one with the same hidden fields. A page without that form stays as it is.

pub(crate) mod markup;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use askama::Template;

use self::markup::{Tag, escaped, tags};
use crate::pages::frame::Choice;
use owlbox_locale::Locale;

/// The fields of a form that say which page it is of, not what it asks for.
const OF_THE_PAGE: [&str; 7] = ["csrf", "key", "version", "seen", "then", "here", "each"];
/// Fields of a command that people type as something else: the first word of each in a form.
const TYPED_AS: [(&str, &str); 2] = [("until", "minutes"), ("score", "points_then")];
/// The id of what is wrong with a field. It is one field of one form.
const WRONG: &str = "wrong-field";
const DESCRIBED: (&str, Option<&str>) = ("aria-describedby", Some(WRONG));

/// A form that was refused.
#[derive(Clone, Copy, Debug)]
pub struct RefusedForm<'a> {
    /// `post`, or `get` for a form that asks for its page.
    pub method: &'a str,
    /// The address it was sent to.
    pub action: &'a str,
    /// What it sent, in order.
    pub sent: &'a [(String, String)],
    /// The field it was refused for.
    pub wrong: Option<WrongField<'a>>,
}

/// A field of a form that was refused.
#[derive(Clone, Copy, Debug)]
pub struct WrongField<'a> {
    /// Where it is in the command, as names of fields say it, or its name there: `score[1]`, `points`.
    pub field: &'a str,
    /// What is wrong with it, in words. `None` if it is missing or cannot be read: what it takes its input says, in
    /// `min` and `max` or as `title`.
    pub why: Option<&'a str>,
    /// What may be meant by it, to choose from: the name of the radio buttons, and the buttons.
    pub choices: Option<&'a (String, Vec<Choice>)>,
}

/// Radio buttons for what may be meant.
#[derive(Template)]
#[template(path = "meant.html")]
struct MeantButtons<'a> {
    t: Locale,
    name: &'a str,
    choices: Vec<Choice>,
}

/// An input of the form that people fill in.
struct Input<'a> {
    /// The position of its tag.
    at: usize,
    /// Where its value is in the command.
    path: Vec<String>,
    /// What was typed or chosen.
    value: &'a str,
}

/// What the form sent that no input before has taken.
struct Unused<'a>(Vec<Option<(&'a str, &'a str)>>);

impl<'a> Unused<'a> {
    /// The first value of this name that is wanted.
    fn take(&mut self, name: &str, wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        let is =
            |sent: &Option<(&str, &str)>| sent.is_some_and(|(sent, value)| sent == name && wanted(value));
        self.0.iter_mut().find(|sent| is(sent)).and_then(Option::take).map(|(_, value)| value)
    }
}

/// What a tag gets, and what it loses.
#[derive(Default)]
struct Changed<'a> {
    attributes: Vec<(&'static str, Option<&'a str>)>,
    without: Option<&'static str>,
}

/// A form of a page while it is filled in.
struct Filling<'a> {
    page: &'a str,
    tags: &'a [Tag<'a>],
    /// The position of the form's tag, and of its end.
    form: usize,
    end: usize,
    unused: Unused<'a>,
    /// The names of further items of lists that had a value so far.
    counted: Vec<String>,
    inputs: Vec<Input<'a>>,
    changed: BTreeMap<usize, Changed<'a>>,
    /// Pieces of the page between tags that are replaced.
    replaced: Vec<(Range<usize>, String)>,
}

impl<'a> Filling<'a> {
    fn fill(&mut self) {
        for at in self.form..self.end {
            let tag = &self.tags[at];
            let Some(name) = tag.attribute("name").filter(|_| !tag.closes) else { continue };
            match (tag.name, tag.attribute("type").as_deref()) {
                ("input", Some("submit" | "button" | "image" | "file" | "password" | "reset")) => {}
                ("input", Some("hidden")) => self.pass(&name, &tag.attribute("value").unwrap_or_default()),
                ("input", Some(kind @ ("checkbox" | "radio"))) => self.tick(at, &name, kind == "radio"),
                ("input", _) => self.put_text(at, &name),
                ("textarea", _) => self.put_lines(at, &name),
                ("select", _) => self.choose(at, &name),
                _ => {}
            }
        }
    }

    /// A hidden field takes what it sent itself.
    fn pass(&mut self, name: &str, value: &str) {
        if self.unused.take(name, |sent| sent == value).is_some() {
            path(name, value, &mut self.counted);
        }
    }

    fn tick(&mut self, at: usize, name: &str, is_radio: bool) {
        let value = self.tags[at].attribute("value").unwrap_or("on".into());
        let sent = self.unused.take(name, |sent| sent == value);
        self.flag(at, "checked", sent.is_some());
        let input = self.input(at, name, sent.unwrap_or_default());
        self.inputs.extend(Some(input).filter(|_| is_radio));
    }

    fn put_text(&mut self, at: usize, name: &str) {
        let Some(value) = self.unused.take(name, |_| true) else { return };
        self.changed.entry(at).or_default().attributes.push(("value", Some(value)));
        let input = self.input(at, name, value);
        self.inputs.push(input);
    }

    fn put_lines(&mut self, at: usize, name: &str) {
        let Some(value) = self.unused.take(name, |_| true) else { return };
        let Some(ends) = self.tags[at..self.end].iter().find(|tag| tag.ends("textarea")) else { return };
        // A line break right behind the tag is no part of the text.
        let text = self.tags[at].place.end..ends.place.start;
        self.replaced.push((text, format!("\n{}", escaped(value))));
        let input = self.input(at, name, value);
        self.inputs.push(input);
    }

    fn choose(&mut self, at: usize, name: &str) {
        let tags = self.tags;
        let last =
            tags[at..self.end].iter().position(|tag| tag.ends("select")).map_or(self.end, |of| at + of);
        let options: Vec<usize> = (at..last).filter(|at| tags[*at].opens("option")).collect();
        let is = |at: usize, sent: &str| tags[at].attribute("value").is_some_and(|value| value == sent);
        let sent = self.unused.take(name, |sent| options.iter().any(|at| is(*at, sent)));
        let Some(value) = sent else { return };
        for option in options {
            self.flag(option, "selected", is(option, value));
        }
        let input = self.input(at, name, value);
        self.inputs.push(input);
    }

    fn input(&mut self, at: usize, name: &str, value: &'a str) -> Input<'a> {
        Input { at, path: path(name, value, &mut self.counted), value }
    }

    /// An attribute without a value, there or not.
    fn flag(&mut self, at: usize, name: &'static str, is: bool) {
        let changed = self.changed.entry(at).or_default();
        changed.without = Some(name);
        if is && !changed.attributes.contains(&(name, None)) {
            changed.attributes.push((name, None));
        }
    }

    /// Says beside the field that is wrong what is wrong with it.
    fn mark(&mut self, wrong: &WrongField<'_>, t: &Locale) {
        let Some(input) = wrong.among(&self.inputs) else { return };
        let (at, tags) = (input.at, self.tags);
        let why = wrong.why.map_or_else(|| asked(&tags[at], input.value, t), str::to_owned);
        let said = format!("<span class=\"wrong\" id=\"{WRONG}\">{}</span>", escaped(&why));
        self.unfold(at);
        let (of, attributes, beside): (_, &[_], _) = match group(tags, self.form, at) {
            Some((fieldset, legend)) => (fieldset, &[DESCRIBED], legend),
            None => (at, &[("aria-invalid", Some("true")), DESCRIBED, ("autofocus", None)], behind(tags, at)),
        };
        self.changed.entry(of).or_default().attributes.extend(attributes);
        self.replaced.push((beside..beside, said));
        if let Some((name, choices)) = wrong.choices {
            let behind = behind_line(tags, self.form, at).unwrap_or(beside);
            let buttons = MeantButtons { t: *t, name, choices: choices.clone() }.render().unwrap_or_default();
            self.replaced.push((behind..behind, buttons));
        }
    }

    /// Opens what folds around a tag.
    fn unfold(&mut self, at: usize) {
        let mut around = Vec::new();
        for (position, tag) in self.tags[..at].iter().enumerate() {
            if tag.opens("details") {
                around.push(position);
            } else if tag.ends("details") {
                around.pop();
            }
        }
        for at in around {
            let is_open = self.tags[at].attribute("open").is_some();
            if !is_open {
                self.flag(at, "open", true);
            }
        }
    }

    fn done(mut self) -> String {
        for (at, changed) in self.changed {
            let tag = &self.tags[at];
            self.replaced.push((tag.place.clone(), tag.with(&changed.attributes, changed.without)));
        }
        self.replaced.sort_by_key(|(place, _)| (place.start, place.end));
        let (mut filled, mut at) = (String::with_capacity(self.page.len() + 1_000), 0);
        for (place, new) in self.replaced {
            filled.push_str(&self.page[at..place.start]);
            filled.push_str(&new);
            at = place.end;
        }
        filled + &self.page[at..]
    }
}

impl RefusedForm<'_> {
    /// The page with this form as it was sent.
    #[must_use]
    pub fn put_into(&self, page: &str, t: &Locale) -> String {
        let tags = tags(page);
        let Some(form) = self.find(&tags) else { return page.to_owned() };
        let sent = self.sent.iter().map(|(name, value)| Some((name.as_str(), value.as_str())));
        let mut filling = Filling {
            page,
            tags: &tags,
            form,
            end: end_of(&tags, form),
            unused: Unused(sent.collect()),
            counted: Vec::new(),
            inputs: Vec::new(),
            changed: BTreeMap::new(),
            replaced: Vec::new(),
        };
        filling.fill();
        filling.unfold(form);
        if let Some(wrong) = &self.wrong {
            filling.mark(wrong, t);
        }
        filling.done()
    }

    /// The position of the form's tag: of those with no other hidden field, the one with the most of what was sent.
    fn find(&self, tags: &[Tag<'_>]) -> Option<usize> {
        let sent =
            |name: &str, value: &str| self.sent.iter().any(|(sent, held)| sent == name && held == value);
        let has = |name: &str| self.sent.iter().any(|(sent, _)| sent == name);
        let mut best = None;
        for (at, tag) in tags.iter().enumerate() {
            let is_sent_so = tag.attribute("method").is_some_and(|method| method == self.method);
            // A form that asks for its own page need not name it.
            let is_sent_there =
                tag.attribute("action").map_or(self.method == "get", |action| action == self.action);
            if !tag.opens("form") || !is_sent_so || !is_sent_there {
                continue;
            }
            let mut alike = 0;
            let mut other = false;
            for field in &tags[at..end_of(tags, at)] {
                let Some(name) = field.attribute("name").filter(|name| !OF_THE_PAGE.contains(&&**name))
                else {
                    continue;
                };
                if field.name == "input" && field.attribute("type").as_deref() == Some("hidden") {
                    let is_sent = sent(&name, &field.attribute("value").unwrap_or_default());
                    alike += usize::from(is_sent);
                    other |= !is_sent;
                } else {
                    alike += usize::from(has(&name));
                }
            }
            if !other && best.is_none_or(|(most, _)| alike > most) {
                best = Some((alike, at));
            }
        }
        best.filter(|(alike, _)| *alike > 0).map(|(_, at)| at)
    }
}

impl WrongField<'_> {
    /// The input it is: the very place, or else the first that has it as a part of its place, sooner one left empty.
    fn among<'i, 'v>(&self, inputs: &'i [Input<'v>]) -> Option<&'i Input<'v>> {
        let field = path(self.field, "", &mut Vec::new());
        let typed = TYPED_AS
            .into_iter()
            .find(|(of_command, _)| field.first().is_some_and(|first| first == of_command));
        let is_part = |input: &&Input<'_>| {
            let named = field.len() == 1 && input.path.contains(&field[0]);
            let typed =
                typed.is_some_and(|(_, typed)| input.path.first().is_some_and(|first| first == typed));
            named || typed || input.path.starts_with(&field)
        };
        let parts = || inputs.iter().filter(is_part);
        let same = parts().find(|input| input.path == field);
        same.or_else(|| parts().find(|input| input.value.trim().is_empty())).or_else(|| parts().next())
    }
}

/// The steps to the value of a field with this name and value: the place of a further item of a list is how many came
/// before it.
fn path(name: &str, value: &str, counted: &mut Vec<String>) -> Vec<String> {
    let name = name.split(':').next().unwrap_or_default();
    let steps = name.split('[').map(|step| step.trim_end_matches(']'));
    let before = counted.iter().filter(|other| *other == name).count();
    if name.ends_with("[]") && !value.trim().is_empty() {
        counted.push(name.to_owned());
    }
    steps.map(|step| if step.is_empty() { before.to_string() } else { step.to_owned() }).collect()
}

/// What an input asks for, where what was sent cannot be read.
fn asked(input: &Tag<'_>, value: &str, t: &Locale) -> String {
    if value.trim().is_empty() {
        return t.get("field-missing");
    }
    let [title, least, most] = ["title", "min", "max"].map(|name| input.attribute(name));
    match (title, least, most) {
        (Some(title), ..) => title.into_owned(),
        (None, Some(least), Some(most)) => t.fill("field-number", &[("least", &least), ("most", &most)]),
        _ => t.get("field-unreadable"),
    }
}

/// The place behind the label around an input, or the line that it shares with its button.
fn behind_line(tags: &[Tag<'_>], form: usize, at: usize) -> Option<usize> {
    let is_line = |tag: &Tag<'_>| {
        let is_inline = || tag.attribute("class").is_some_and(|class| class == "inline");
        tag.opens("label") || (tag.opens("div") && is_inline())
    };
    let end = |around: usize| {
        let (name, mut open) = (tags[around].name, 0_usize);
        let ends = tags[around..].iter().find(|tag| {
            open += usize::from(tag.opens(name));
            open -= usize::from(tag.ends(name));
            open == 0
        });
        ends.map(|tag| tag.place.end)
    };
    let lines = (form..at).rev().filter(|around| is_line(&tags[*around]));
    lines.filter_map(end).find(|end| *end > tags[at].place.end)
}

/// The position of the tag that ends the form, or of the end of the page.
fn end_of(tags: &[Tag<'_>], form: usize) -> usize {
    tags[form..].iter().position(|tag| tag.ends("form")).map_or(tags.len(), |length| form + length)
}

/// For a radio button, the group it is of: its tag, and the place behind its legend.
fn group(tags: &[Tag<'_>], form: usize, at: usize) -> Option<(usize, usize)> {
    tags[at].attribute("type").filter(|kind| kind == "radio")?;
    let fieldset = tags[form..at].iter().rposition(|tag| tag.opens("fieldset"))? + form;
    let legend = tags[fieldset..at].iter().find(|tag| tag.ends("legend"))?;
    Some((fieldset, legend.place.end))
}

/// The place behind an input.
fn behind(tags: &[Tag<'_>], at: usize) -> usize {
    let tag = &tags[at];
    let ends = tags[at..].iter().find(|other| other.ends(tag.name)).filter(|_| tag.name != "input");
    ends.unwrap_or(tag).place.end
}
