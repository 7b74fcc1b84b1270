//! Amounts as people type them: in forms, and in the tables that they bring.

use crate::values::HalfPoints;

/// Reads a decimal number as people type it, with a point or a comma. The result is in units of the last
/// decimal.
#[must_use]
pub fn decimal(typed: &str, decimals: u32) -> Option<i64> {
    let decimals = usize::try_from(decimals).ok()?;
    let (whole, part) = typed.split_once(['.', ',']).unwrap_or((typed, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > decimals || !digits(whole) || !digits(part) {
        return None;
    }
    format!("{whole}{part:0<decimals$}").parse().ok()
}

/// Reads points as people type them: `3`, `1.5`, `1,5`, `1½`, `½`.
#[must_use]
pub fn half_points(typed: &str) -> Option<HalfPoints> {
    if let Some(whole) = typed.strip_suffix('½') {
        let whole = if whole.is_empty() { 0 } else { decimal(whole.trim(), 0)? };
        return whole.checked_mul(2)?.checked_add(1).map(HalfPoints);
    }
    let tenths = decimal(typed, 1)?;
    (tenths % 5 == 0).then_some(HalfPoints(tenths / 5))
}

#[cfg(test)]
mod tests {
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
}
