//! The course of a balance as a line.

use std::fmt::Write;

/// The course of a balance, drawn as a line in a box of 640 × 120.
#[derive(Clone, Debug)]
pub struct BalanceChart {
    /// `x,y x,y ...` for `<polyline>`.
    pub line: String,
    /// The closed outline of the area between the line and zero.
    pub area: String,
    /// The y of the zero line.
    pub zero: i64,
}

impl BalanceChart {
    const WIDTH: i64 = 640;
    const HEIGHT: i64 = 120;
    /// Room above and below, so that the ends of the line are not cut off.
    const MARGIN: i64 = 8;

    /// The course of `balances`, oldest first, in any whole unit. `None` for fewer than two.
    #[must_use]
    pub fn new(balances: &[i64]) -> Option<Self> {
        let last = i64::try_from(balances.len()).ok()?.checked_sub(1).filter(|last| *last > 0)?;
        let highest = balances.iter().copied().max()?.max(0);
        let lowest = balances.iter().copied().min()?.min(0);
        let range = i128::from(highest) - i128::from(lowest);
        let height = i128::from(Self::HEIGHT - 2 * Self::MARGIN);
        let y = |balance: i64| {
            let below_top = (i128::from(highest) - i128::from(balance)) * height / range.max(1);
            Self::MARGIN + i64::try_from(below_top).unwrap_or(0)
        };
        let mut line = String::new();
        let mut end = (0, 0);
        for (index, balance) in (0..).zip(balances) {
            end = (Self::MARGIN + index * (Self::WIDTH - 2 * Self::MARGIN) / last, y(*balance));
            // Writing to a string cannot fail.
            let _ = write!(line, "{}{},{}", if index == 0 { "" } else { " " }, end.0, end.1);
        }
        let zero = y(0);
        let area = format!("{},{zero} {line} {},{zero}", Self::MARGIN, end.0);
        Some(Self { line, area, zero })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_needs_two_balances_and_has_zero_in_its_range() {
        assert!(BalanceChart::new(&[]).is_none());
        assert!(BalanceChart::new(&[5]).is_none());
        let course = BalanceChart::new(&[0, 10, -10]).unwrap();
        assert_eq!(course.line, "8,60 320,8 632,112");
        assert_eq!((course.zero, course.area.as_str()), (60, "8,60 8,60 320,8 632,112 632,60"));
        assert_eq!(BalanceChart::new(&[0, 0]).unwrap().line, "8,8 632,8");
        assert!(BalanceChart::new(&[i64::MIN, i64::MAX]).is_some());
    }
}
