//! What holds for every template.

/// `text` without what stands between `from` and `to`, these included.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut pieces = text.split(from);
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (_, after) = piece.split_once(to).unwrap_or_else(|| panic!("{from} without {to}: {piece}"));
        kept.push_str(after);
    }
    kept
}

/// What readers see of a template except for its expressions: text between tags, and attributes that are read
/// out.
fn literal_words(template: &str) -> Vec<String> {
    let text = [("{#", "#}"), ("{%", "%}"), ("{{", "}}"), ("<script", "</script>"), ("<style", "</style>")]
        .iter()
        .fold(template.to_owned(), |text, (from, to)| without(&text, from, to));
    let mut shown = without(&text, "<", ">");
    for attribute in ["aria-label", "alt", "title", "placeholder"] {
        for value in text.split(&format!(" {attribute}=\"")).skip(1) {
            shown.push(' ');
            shown.push_str(value.split('"').next().unwrap_or_default());
        }
    }
    let shown = without(&shown, "&", ";");
    let words = shown.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn words_of_a_template_are_found_where_a_reader_meets_them() {
    let found = literal_words(
        r#"{# no #}<a href="/x" title="Look" alt="{{ t.get("y") }}" class="{% if a > b %}big{% endif %}">{{ t.get("x") }} here&nbsp;</a>"#,
    );
    assert_eq!(found, ["here", "Look"]);
}

/// Every template of a page, with its file's name.
fn templates() -> Vec<(String, String)> {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates")];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".html") {
                all.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(all.len() > 60, "only {} templates", all.len());
    all
}

/// No word of a page stands in its template, but names. Pages for programmers are English, and one template
/// is nothing but attributes.
#[test]
fn templates_have_no_words_of_their_own() {
    for (name, template) in templates() {
        if ["api_docs.html", "problems.html", "ui.html", "live_part.html"].contains(&&*name) {
            continue;
        }
        let mut words = literal_words(&template);
        words.retain(|word| !["Owlbox", "CSV"].contains(&&**word));
        assert!(words.is_empty(), "{name} says {words:?}");
    }
}

/// Of two attributes of one name a browser keeps the first, so the mark of a refused field would be lost.
#[test]
fn an_input_that_may_be_marked_as_wrong_has_no_hint_of_its_own() {
    for (name, text) in templates() {
        for input in text.split('<').filter(|tag| tag.contains(".value(") || tag.contains(".select(")) {
            let end = input.find("}}>").unwrap_or(input.len());
            assert!(!input[..end].contains("aria-describedby"), "in {name}: <{input}");
        }
    }
}

/// The mark of a refused field refers to what stands behind it.
#[test]
fn a_select_that_may_be_marked_as_wrong_is_followed_by_what_is_wrong() {
    for (name, text) in templates() {
        for select in text.split(".select(").skip(1) {
            let field = select.split(')').next().unwrap();
            let says = ["said", "said_with", "said_of_number"].map(|said| format!(".{said}({field}"));
            assert!(says.iter().any(|said| select.contains(said)), "in {name}: {field}");
        }
    }
}

#[test]
fn no_line_of_a_template_is_too_long_to_be_read() {
    for (name, template) in templates() {
        let long = template.lines().filter(|line| line.chars().count() > 140);
        assert_eq!(long.collect::<Vec<_>>(), [""; 0], "in {name}");
    }
}
