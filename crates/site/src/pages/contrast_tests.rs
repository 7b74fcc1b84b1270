//! That the palette is readable: WCAG contrast for every pair of colours that the pages combine.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../../../../assets/owlbox.css");

/// The named colours of the dark and the light palette.
fn palettes() -> [(&'static str, BTreeMap<&'static str, &'static str>); 2] {
    let colours = |block: &'static str| -> BTreeMap<&str, &str> {
        let block = block.split('}').next().unwrap();
        let pairs = block.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": "));
        pairs.filter(|(_, value)| value.starts_with('#') && value.len() == 7).collect()
    };
    let mut blocks = STYLE.split(":root {").skip(1);
    let day = colours(blocks.next().unwrap());
    let mut night = day.clone();
    night.extend(colours(blocks.next().unwrap()));
    [("day", day), ("night", night)]
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
fn text_stands_out_at_least_four_and_a_half_to_one_by_night_and_by_day() {
    for (theme, colours) in palettes() {
        let mut pairs = vec![("on-accent", "accent"), ("figure", "ivory")];
        for text in ["text", "muted", "accent", "captain", "won", "lost"] {
            pairs.extend([(text, "ground"), (text, "surface")]);
        }
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
