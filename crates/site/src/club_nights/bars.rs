//! Two bars for each night or month: its games, and its players.
//!
//! They differ by pattern, and every figure is in the table below.

/// Bars in pairs.
pub(super) struct BarChart {
    pub title: String,
    pub description: String,
    pub width: usize,
    pub pairs: Vec<BarPair>,
}

pub(super) struct BarPair {
    /// The left edge and the width of each bar, and the middle of both.
    pub left: [usize; 2],
    pub wide: usize,
    pub middle: usize,
    /// The heights of the two, and where they begin.
    pub heights: [usize; 2],
    pub tops: [usize; 2],
    /// The figures above them, if they have room.
    pub figures: Option<[String; 2]>,
    /// The day or the month below them, if it has room.
    pub label: Option<String>,
    /// The tooltip.
    pub said: String,
}

impl BarChart {
    /// The height of the tallest bar.
    const TALL: usize = 100;
    /// Where the bars stand: above it is room for figures.
    pub const GROUND: usize = 118;
    const WIDTH: usize = 372;

    /// `None` for fewer than two nights or months: there is nothing to compare. Each has its short label,
    /// what is said of it, its games and its players.
    pub fn new(title: String, description: String, spans: &[(String, String, i64, i64)]) -> Option<Self> {
        let count = Some(spans.len()).filter(|count| *count > 1)?;
        let size = |number: i64| usize::try_from(number).unwrap_or_default();
        let most = spans.iter().map(|(_, _, games, players)| size(*games.max(players))).max()?.max(1);
        let room = (Self::WIDTH / count).max(4);
        let wide = (room.saturating_sub(3) / 2).clamp(1, 24);
        // A digit is about seven wide.
        let has_room = most.to_string().len() * 7 <= wide + 2;
        let pair = |(at, (label, said, games, players)): (usize, &(String, String, i64, i64))| {
            let middle = room * at + room / 2;
            let heights = [*games, *players].map(|number| size(number) * Self::TALL / most);
            BarPair {
                left: [middle - wide.min(middle), middle],
                wide,
                middle,
                heights,
                tops: heights.map(|height| Self::GROUND - height),
                figures: has_room.then(|| [games.to_string(), players.to_string()]),
                label: (label.chars().count() * 7 <= room).then(|| label.clone()),
                said: said.clone(),
            }
        };
        let pairs = spans.iter().enumerate().map(pair).collect();
        Some(Self { title, description, width: room * count, pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(figures: &[(i64, i64)]) -> Vec<(String, String, i64, i64)> {
        figures.iter().map(|(games, players)| ("20".to_owned(), String::new(), *games, *players)).collect()
    }

    #[test]
    fn bars_stand_side_by_side_on_one_ground_and_the_tallest_has_the_whole_height() {
        let bars = BarChart::new(String::new(), String::new(), &spans(&[(20, 5), (10, 6), (0, 0)])).unwrap();
        for pair in &bars.pairs {
            let [games, players] = pair.left;
            assert_eq!(games + pair.wide, players, "side by side");
            assert!(players + pair.wide <= bars.width);
            for (top, height) in pair.tops.iter().zip(pair.heights) {
                assert_eq!(top + height, BarChart::GROUND);
            }
        }
        let heights: Vec<[usize; 2]> = bars.pairs.iter().map(|pair| pair.heights).collect();
        assert_eq!(heights, [[100, 25], [50, 30], [0, 0]]);
    }

    #[test]
    fn figures_are_left_out_where_they_would_run_into_each_other_and_one_night_has_no_bars() {
        let many = BarChart::new(String::new(), String::new(), &spans(&[(120, 60); 31])).unwrap();
        assert!(many.pairs.iter().all(|pair| pair.figures.is_none() && pair.label.is_none()));
        assert!(many.pairs.last().unwrap().left[1] < many.width);
        let few = BarChart::new(String::new(), String::new(), &spans(&[(12, 6); 4])).unwrap();
        assert!(few.pairs.iter().all(|pair| pair.figures.is_some() && pair.label.is_some()));
        assert!(BarChart::new(String::new(), String::new(), &spans(&[(12, 6)])).is_none());
    }
}
