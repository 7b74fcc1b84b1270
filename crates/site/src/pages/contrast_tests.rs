//! That the palette is readable: WCAG contrast for every pair of colours that the pages combine.

use std::collections::BTreeMap;

use super::Theme;

const STYLE: &str = include_str!("../../../../assets/owlbox.css");

/// The named colours by day, by night as the device says, dark, and dim. The others lie over those by day.
fn palettes() -> [(&'static str, BTreeMap<&'static str, &'static str>); 4] {
    let colours = |rule: &'static str| -> BTreeMap<&str, &str> {
        let block = STYLE.split_once(rule).unwrap().1.split('}').next().unwrap();
        let pairs = block.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": "));
        pairs.filter(|(_, value)| value.starts_with('#') && value.len() == 7).collect()
    };
    let day = colours("\n:root {");
    let over_day = |rule| {
        let mut all = day.clone();
        all.extend(colours(rule));
        all
    };
    let (device, dark, dim) = (
        over_day(":not([data-theme])) {"),
        over_day("[data-theme=dark]) {"),
        over_day("[data-theme=dim]) {"),
    );
    [("day", day), ("night", device), ("dark", dark), ("dim", dim)]
}

#[test]
fn dark_is_the_same_whoever_chose_it_and_a_phone_frames_a_page_in_the_colour_of_its_ground() {
    let [(_, day), (_, night), (_, dark), (_, dim)] = palettes();
    assert_eq!(night, dark);
    let grounds = |theme: Theme| theme.schemes().iter().map(|(_, ground)| *ground).collect::<Vec<_>>();
    let [day, night, dim] = [day, night, dim].map(|colours| colours["ground"]);
    assert_eq!(grounds(Theme::Device), [night, day]);
    assert_eq!([Theme::Light, Theme::Dark, Theme::Dim].map(grounds), [[day], [night], [dim]]);
}

fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_stands_out_at_least_four_and_a_half_to_one_in_every_theme() {
    for (theme, colours) in palettes() {
        let mut pairs = vec![("on-accent", "accent"), ("figure", "ivory")];
        for text in ["text", "muted", "accent", "captain", "won", "lost"] {
            pairs.extend([(text, "ground"), (text, "surface")]);
        }
        let faces: Vec<String> = (0..12).map(|number| format!("face-{number}")).collect();
        pairs.extend(faces.iter().map(|face| ("on-face", face.as_str())));
        for (text, ground) in pairs {
            let ratio = contrast(colours[text], colours[ground]);
            assert!(ratio >= 4.5, "{theme}: {text} on {ground} has {ratio:.2}");
        }
        // Colours that set a field or the focus off from its surroundings.
        for mark in ["captain", "accent", "muted"] {
            assert!(contrast(colours[mark], colours["ground"]) >= 3.0, "{theme}: {mark}");
        }
    }
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
}
