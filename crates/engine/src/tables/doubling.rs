//! What the score of a match means for the cube: take points, the doubling window, the price of a gammon.
//!
//! Everything follows from the [match equities](super::equity) by the standard formulas. **Gammons are left
//! out** of everything but their price: a chance here is the chance to win the game, and every game counts
//! the cube. Where gammons threaten, a take needs more and a double less.
//!
//! Two models bound the value of a cube:
//!
//! * **dead**: nobody doubles again, and the game is played out with the cube where it is;
//! * **live**: the owner doubles again exactly where the other side may as well drop as take, and never
//!   misses that point.
//!
//! The truth lies in between. A cube is dead **for its owner** once it covers the points the owner still
//! needs: more would win nothing (M2). Then both models agree.
//!
//! The side that has to answer is called the taker. `cube` is always the stake **before** the double, like
//! [`Offer::before`](crate::cube::Offer). The Crawford game has no cube (M3), so there every question about
//! doubling is answered with `None`.

use crate::cube::CubeValue;
use crate::tables::equity::{MatchPhase, MatchScore};

/// The chance of winning the game at which taking a double is as good as dropping it, 0 to 1.
///
/// ```
/// use owlbox_engine::CubeValue;
/// use owlbox_engine::tables::doubling::{TakePoint, take_point};
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
///
/// // At 4-away, 2-away the trailer loses nothing by doubling again.
/// let score = MatchScore::new(Away::try_from(4)?, Away::try_from(2)?, MatchPhase::BeforeCrawford)?;
/// let TakePoint { dead, live } = take_point(score, CubeValue::ONE).unwrap();
/// assert!(live < dead);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TakePoint {
    /// The take point if nobody doubles again.
    ///
    /// With D the match equity after dropping, L after taking and losing, W after taking and winning: (D - L)
    /// / (W - L).
    pub dead: f64,
    /// The take point if the taker doubles again where the other side may as well drop as take, and so on for
    /// as long as the cube is alive for its owner. It is the dead take point times (1 - the other side's live
    /// take point of that redouble): at most [`dead`](Self::dead), and equal to it if the taken cube is dead
    /// for the taker.
    ///
    /// If the double covers what the doubler needs, the taker has nothing left to lose and redoubles in this
    /// model.
    pub live: f64,
}

/// The range of winning chances in which a double gains, if the cube is dead once it is taken.
///
/// ```
/// use owlbox_engine::CubeValue;
/// use owlbox_engine::tables::doubling::{DoublingWindow, doubling_window};
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
///
/// let two = Away::try_from(2)?;
/// let score = MatchScore::new(two, two, MatchPhase::BeforeCrawford)?;
/// let DoublingWindow { opens, closes } = doubling_window(score, CubeValue::ONE).unwrap();
/// assert!((0.5..closes).contains(&opens));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoublingWindow {
    /// From here on, doubling is no worse than playing on at the old stake: risk / (risk + gain). Risk is
    /// what the doubled stake takes from a lost game, gain what it adds to a won one.
    pub opens: f64,
    /// From here on, the other side does better to drop: 1 - its dead take point.
    pub closes: f64,
}

/// The take point of the side that sees `score` and is offered a double of `cube`. 0 where dropping loses the
/// match; `None` in the Crawford game.
///
/// ```
/// use owlbox_engine::CubeValue;
/// use owlbox_engine::tables::doubling::take_point;
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
///
/// let two = Away::try_from(2)?;
/// let score = MatchScore::new(two, two, MatchPhase::BeforeCrawford)?;
/// let point = take_point(score, CubeValue::ONE).unwrap();
/// assert!((point.dead - 0.32264).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn take_point(score: MatchScore, cube: CubeValue) -> Option<TakePoint> {
    let has_cube = score.phase() != MatchPhase::Crawford;
    has_cube.then(|| TakePoint { dead: dead_take_point(score, cube), live: live_take_point(score, cube) })
}

/// The window in which the side that sees `score` doubles `cube`. `None` in the Crawford game, and where
/// `cube` already covers what that side needs, so that a double gains nothing.
///
/// Both ends are chances from 0 to 1. Where a dead cube is never worth doubling, the window is empty:
/// [`opens`](DoublingWindow::opens) is above [`closes`](DoublingWindow::closes).
///
/// ```
/// use owlbox_engine::CubeValue;
/// use owlbox_engine::tables::doubling::doubling_window;
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
///
/// // After the Crawford game the trailer doubles at once; the leader has nothing to gain.
/// let trailer = MatchScore::new(Away::try_from(3)?, Away::ONE, MatchPhase::AfterCrawford)?;
/// assert_eq!(doubling_window(trailer, CubeValue::ONE).unwrap().opens, 0.0);
/// assert_eq!(doubling_window(trailer.turned(), CubeValue::ONE), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn doubling_window(score: MatchScore, cube: CubeValue) -> Option<DoublingWindow> {
    if score.phase() == MatchPhase::Crawford || cube.get() >= score.own().points() {
        return None;
    }
    let (single, double) = (cube.get(), 2 * cube.get());
    let risk = score.after_losing(single) - score.after_losing(double);
    let gain = score.after_winning(double) - score.after_winning(single);
    Some(DoublingWindow { opens: risk / (risk + gain), closes: 1.0 - dead_take_point(score.turned(), cube) })
}

/// The value of a gammon to the side that sees `score`, at the stake `cube`: what a gammon adds to a single
/// win, divided by the difference between a single win and a single loss. 0.5 for money; 0 where a single win
/// wins the match.
///
/// [`MatchScore::turned`] gives the other side's price.
///
/// ```
/// use owlbox_engine::CubeValue;
/// use owlbox_engine::tables::doubling::gammon_price;
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
///
/// let two = Away::try_from(2)?;
/// let score = MatchScore::new(two, two, MatchPhase::BeforeCrawford)?;
/// assert!(gammon_price(score, CubeValue::ONE) > 0.9);
/// // With the cube at 2 a single game is the match.
/// assert_eq!(gammon_price(score, CubeValue::try_from(2)?), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn gammon_price(score: MatchScore, cube: CubeValue) -> f64 {
    let single = score.after_winning(cube.get());
    (score.after_winning(2 * cube.get()) - single) / (single - score.after_losing(cube.get()))
}

fn dead_take_point(score: MatchScore, cube: CubeValue) -> f64 {
    let dropped = score.after_losing(cube.get());
    let lost = score.after_losing(2 * cube.get());
    // Never 0 / 0: the equities of the table fall strictly, so a win is always better than a loss.
    (dropped - lost) / (score.after_winning(2 * cube.get()) - lost)
}

fn live_take_point(score: MatchScore, cube: CubeValue) -> f64 {
    let dead = dead_take_point(score, cube);
    match cube.doubled() {
        // At most five levels deep, as nobody needs more than 25 points.
        Some(taken) if taken.get() < score.own().points() => {
            dead * (1.0 - live_take_point(score.turned(), taken))
        }
        _ => dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::equity::Away;
    use MatchPhase::{AfterCrawford, BeforeCrawford, Crawford};

    const ONE: CubeValue = CubeValue::ONE;

    fn cube(value: u32) -> CubeValue {
        CubeValue::try_from(value).unwrap()
    }

    fn score(own: u32, other: u32, phase: MatchPhase) -> MatchScore {
        let away = |points| Away::try_from(points).unwrap();
        MatchScore::new(away(own), away(other), phase).unwrap()
    }

    /// Every score, phase and cube of a match of up to 25 points in which the cube is used.
    fn with_cube() -> impl Iterator<Item = (MatchScore, CubeValue)> {
        let scores = (1..=25).flat_map(|own| (1..=25).map(move |other| (own, other)));
        let scores = scores.map(|(own, other)| {
            let phase = if own == 1 || other == 1 { AfterCrawford } else { BeforeCrawford };
            score(own, other, phase)
        });
        scores.flat_map(|score| [1, 2, 4, 8, 16, 32, 1 << 20].map(|value| (score, cube(value))))
    }

    #[track_caller]
    fn close(chance: f64, expected: f64) {
        assert!((chance - expected).abs() < 1e-9, "{chance} is not {expected}");
    }

    #[test]
    fn take_point_at_2a_2a() {
        // Dropped: 2a-1a in the Crawford game, 0.32264. Taken: the game decides the match. (0.32264 - 0) / (1
        // - 0). A cube on 2 is dead for a side that needs 2.
        let point = take_point(score(2, 2, BeforeCrawford), ONE).unwrap();
        close(point.dead, 0.32264);
        close(point.live, 0.32264);
    }

    #[test]
    fn take_points_at_2a_4a() {
        // The leader is doubled. Dropped: 2a-3a, 0.59947. Taken and lost: 2a-2a, 0.5. Taken and won: the
        // match. (0.59947 - 0.5) / (1 - 0.5) = 0.09947 / 0.5. The cube is dead for the leader.
        let leader = take_point(score(2, 4, BeforeCrawford), ONE).unwrap();
        close(leader.dead, 0.19894);
        close(leader.live, 0.19894);
        // The trailer is doubled. Dropped: 4a-1a in the Crawford game, 1 - 0.81436 = 0.18564. Taken and lost:
        // the match is lost. Taken and won: 2a-2a, 0.5. 0.18564 / 0.5 = 0.37128. The trailer loses nothing by
        // redoubling; then a win wins the match, 0.18564 / 1.
        let trailer = take_point(score(4, 2, BeforeCrawford), ONE).unwrap();
        close(trailer.dead, 0.37128);
        close(trailer.live, 0.18564);
    }

    #[test]
    fn take_point_at_3a_3a() {
        // Dropped: 3a-2a, 1 - 0.59947 = 0.40053. Lost: 3a-1a in the Crawford game, 1 - 0.75076 = 0.24924.
        // Won: 1a-3a, 0.75076. (0.40053 - 0.24924) / (0.75076 - 0.24924) = 0.15129 / 0.50152.
        let dead = 0.15129 / 0.50152;
        // Redoubled to 4: dropping leaves the other side at 3a-1a, 0.24924; taking plays for the match. So
        // 0.24924.
        let live = dead * (1.0 - 0.24924);
        let point = take_point(score(3, 3, BeforeCrawford), ONE).unwrap();
        close(point.dead, dead);
        close(point.live, live);
    }

    #[test]
    fn m6_after_crawford_the_leader_has_a_free_drop_only_against_an_even_score() {
        // 1a-2a: dropped, 1a-1a, 0.5; taken, the game decides the match.
        close(take_point(score(1, 2, AfterCrawford), ONE).unwrap().dead, 0.5);
        // 1a-3a: dropped, 1a-2a, 1 - 0.48803 = 0.51197; taken and lost, 1a-1a. 0.01197 / 0.5.
        close(take_point(score(1, 3, AfterCrawford), ONE).unwrap().dead, 0.02394);
        // 1a-4a: dropped, 1a-3a, 1 - 0.32264 = 0.67736; taken and lost, 1a-2a, 0.51197. 0.16539 / 0.48803.
        close(take_point(score(1, 4, AfterCrawford), ONE).unwrap().dead, 0.16539 / 0.48803);
    }

    #[test]
    fn m3_the_crawford_game_has_no_cube() {
        assert_eq!(take_point(score(1, 3, Crawford), ONE), None);
        assert_eq!(doubling_window(score(3, 1, Crawford), ONE), None);
        // But it has gammons: at 3a a single win makes 2a-1a, 0.48803, a gammon 1a-1a, 0.5; a loss leaves
        // nothing.
        close(gammon_price(score(3, 1, Crawford), ONE), (0.5 - 0.48803) / 0.48803);
        close(gammon_price(score(1, 3, Crawford), ONE), 0.0);
    }

    #[test]
    fn doubling_window_at_2a_2a() {
        // Risk: 0.32264 - 0. Gain: 1 - 0.67736 = 0.32264. So it opens at one half and closes at 1 - 0.32264.
        let window = doubling_window(score(2, 2, BeforeCrawford), ONE).unwrap();
        close(window.opens, 0.5);
        close(window.closes, 0.67736);
    }

    #[test]
    fn doubling_window_at_4a_2a() {
        // The trailer doubles. Risk: 4a-1a, 0.18564, against a lost match. Gain: 2a-2a, 0.5, against 3a-2a,
        // 0.40053.
        let window = doubling_window(score(4, 2, BeforeCrawford), ONE).unwrap();
        close(window.opens, 0.18564 / (0.18564 + 0.09947));
        close(window.closes, 1.0 - 0.19894);
    }

    #[test]
    fn m6_after_crawford_the_trailer_doubles_at_once_and_the_leader_never() {
        for points in 2..=25 {
            close(doubling_window(score(points, 1, AfterCrawford), ONE).unwrap().opens, 0.0);
            assert_eq!(doubling_window(score(1, points, AfterCrawford), ONE), None);
        }
    }

    #[test]
    fn gammon_prices_by_side_and_cube() {
        // 2a-2a: (1 - 0.67736) / (0.67736 - 0.32264) at 1; at 2 a single game decides the match.
        close(gammon_price(score(2, 2, BeforeCrawford), ONE), 0.32264 / 0.35472);
        close(gammon_price(score(2, 2, BeforeCrawford), cube(2)), 0.0);
        // 4a-2a with the cube on 2. The trailer: (1 - 0.5) / (0.5 - 0). The leader wins the match with a
        // single win.
        close(gammon_price(score(4, 2, BeforeCrawford), cube(2)), 1.0);
        close(gammon_price(score(2, 4, BeforeCrawford), cube(2)), 0.0);
        // After Crawford at 2a, a gammon wins the match for the trailer: (1 - 0.5) / (0.5 - 0).
        close(gammon_price(score(2, 1, AfterCrawford), ONE), 1.0);
    }

    #[test]
    fn a_long_match_comes_near_to_money() {
        // For money: take points 25 % dead and 20 % live, the window opens at 50 %, a gammon is worth half a
        // game.
        let even = score(25, 25, BeforeCrawford);
        let point = take_point(even, ONE).unwrap();
        assert!((point.dead - 0.25).abs() < 0.01 && (point.live - 0.20).abs() < 0.01, "{point:?}");
        let window = doubling_window(even, ONE).unwrap();
        assert!((window.opens - 0.5).abs() < 1e-9 && (window.closes - 0.75).abs() < 0.01, "{window:?}");
        assert!((gammon_price(even, ONE) - 0.5).abs() < 0.02);
    }

    /// Proves M2.
    #[test]
    fn every_number_is_a_chance_at_every_score_and_cube() {
        for (score, cube) in with_cube() {
            let point = take_point(score, cube).unwrap();
            assert!(0.0 <= point.live && point.live <= point.dead && point.dead <= 1.0, "{score:?} {cube}");
            if let Some(window) = doubling_window(score, cube) {
                assert!((0.0..=1.0).contains(&window.opens), "{score:?} {cube} {window:?}");
                assert!((0.0..=1.0).contains(&window.closes), "{score:?} {cube} {window:?}");
            }
            let price = gammon_price(score, cube);
            assert!(price >= 0.0 && price.is_finite(), "{score:?} {cube}: {price}");
        }
    }

    #[test]
    fn a_double_that_loses_nothing_is_always_taken() {
        for (score, cube) in with_cube().filter(|(score, cube)| cube.get() >= score.other().points()) {
            // The doubler would win the match with the old stake, so dropping loses it.
            assert_eq!(take_point(score, cube).unwrap(), TakePoint { dead: 0.0, live: 0.0 });
        }
    }
}
