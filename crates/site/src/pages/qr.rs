//! QR codes, for links that are opened on a phone.

use std::fmt::Write as _;

use qrcode::{Color, QrCode};

/// The white margin that scanners need, in modules.
const MARGIN: usize = 4;

/// `text` as a QR code: an `<svg>` element for direct use in a page. Empty if the text is too long for a
/// code, which no link of ours is.
///
/// Each line of the code is drawn with one stroke per run of dark modules. That keeps the markup short enough
/// for a page with many codes.
#[must_use]
pub fn qr_code(text: &str) -> String {
    let Ok(code) = QrCode::new(text.as_bytes()) else { return String::new() };
    let mut strokes = String::new();
    for (line, modules) in code.to_colors().chunks(code.width().max(1)).enumerate() {
        let _ = write!(strokes, "M{MARGIN} {}.5", line + MARGIN);
        for run in modules.chunk_by(|one, next| one == next) {
            let (dark, length) = (run.first() == Some(&Color::Dark), run.len());
            let _ = if dark { write!(strokes, "h{length}") } else { write!(strokes, "m{length} 0") };
        }
    }
    let side = code.width() + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path stroke=\"#000\" d=\"{strokes}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Redraws the code from its strokes.
    #[test]
    fn a_code_is_drawn_module_by_module_as_it_was_made() {
        let text = "https://owlbox.example.org/tournaments/019a0d6e-7a51-7000-8000-000000000001";
        let picture = qr_code(text);
        let code = QrCode::new(text.as_bytes()).unwrap();
        let mut drawn = vec![Color::Light; code.width() * code.width()];
        let strokes = picture.split("stroke=\"#000\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        for (line, strokes) in strokes.split('M').skip(1).enumerate() {
            let (start, mut strokes) = strokes.split_at(strokes.find(['h', 'm']).unwrap());
            assert_eq!(start, format!("{MARGIN} {}.5", line + MARGIN));
            let mut at = 0;
            while let Some(pen) = strokes.chars().next() {
                let (stroke, rest) =
                    strokes.split_at(strokes[1..].find(['h', 'm']).map_or(strokes.len(), |end| end + 1));
                let length: usize = stroke[1..].trim_end_matches(" 0").parse().unwrap();
                for module in &mut drawn[line * code.width() + at..][..length] {
                    *module = if pen == 'h' { Color::Dark } else { Color::Light };
                }
                (at, strokes) = (at + length, rest);
            }
            assert_eq!(at, code.width());
        }
        assert_eq!(drawn, code.to_colors());
        assert!(picture.len() < 4_000, "{}", picture.len());
    }
}
