//! The box's partner.

use serde_json::{Value, json};

use super::{Setting, beside, setting};

/// A setting at a table where a partnership is possible.
fn with_partners(key: &str, option: impl Into<Value>) -> Setting {
    beside(&[("partner.when", json!("optional"))], key, option).between("ABCDEF")
}

#[test]
fn setting_partner_when_optional() {
    setting("partner.when", "optional").between("ABCDEF").comes_to(
        "offer; B accepts; start; box wins",
        "offer: not_in_rules; B accepts: not_offered; A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
        "A+2 B+2 C-1 D-1 E-1 F-1, ADEFC with B",
    );
    // It is never a duty.
    setting("partner.when", "optional").between("ABCDEF").comes_to(
        "start; box wins",
        "A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
        "A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
    );
}

#[test]
fn setting_partner_when_compulsory() {
    setting("partner.when", "compulsory").between("ABCDEF").comes_to(
        "start; box wins",
        "A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
        "start: partner_due; box wins: no_game; A0 B0 C0 D0 E0 F0, ABCDEF",
    );
    // Too few for a partner.
    setting("partner.when", "compulsory").between("ABCDE").comes_to(
        "start; box wins",
        "A+4 B-1 C-1 D-1 E-1, ACDEB",
        "A+4 B-1 C-1 D-1 E-1, ACDEB",
    );
}

#[test]
fn setting_partner_from() {
    with_partners("partner.from", 7).comes_to(
        "offer; B accepts",
        "A0 B0 C0 D0 E0 F0, ACDEF with B",
        "offer: no_partnership; B accepts: not_offered; A0 B0 C0 D0 E0 F0, ABCDEF",
    );
}

/// The setting says when a partnership can be made, not when it ends: it lasts as long as the box stays.
/// Proves Q13.
#[test]
fn setting_partner_from_ends_no_partnership_that_was_made() {
    for script in ["offer; B accepts; G leaves", "offer; B accepts; G rests; G returns; G leaves"] {
        with_partners("partner.from", 7).between("ABCDEFG").comes_to(
            script,
            "A0 B0 C0 D0 E0 F0 G0, ACDEF with B",
            "A0 B0 C0 D0 E0 F0 G0, ACDEF with B",
        );
    }
    // Nor does it end with a game that the box wins, however few are left.
    with_partners("partner.from", 4).between("ABCDEF").comes_to(
        "offer; B accepts; start; E leaves to D; F leaves to D; box wins; start; box wins",
        "A+3 B+3 C-2 D-2 E-1 F-1, ACD with B",
        "A+3 B+3 C-2 D-2 E-1 F-1, ACD with B",
    );
}

/// Where a game would begin without a team of two, the partner joins the team.
#[test]
fn q13_a_team_of_two_is_left_or_partners_are_of_it() {
    with_partners("partner.from", 4).between("ABCDEF").comes_to(
        "offer; B accepts; E leaves; F leaves; D leaves; start; box wins",
        "A+2 B-1 C-1 D0 E0 F0, ABC",
        "A+2 B-1 C-1 D0 E0 F0, ABC",
    );
    // Anybody who comes back in time keeps it alive.
    with_partners("partner.from", 4).between("ABCDEF").comes_to(
        "offer; B accepts; C rests; D rests; E rests; C returns; D returns; start; box wins",
        "A+1½ B+1½ C-1 D-1 E0 F-1, ADEFC with B resting E",
        "A+1½ B+1½ C-1 D-1 E0 F-1, ADEFC with B resting E",
    );
    // Two go on as box and captain.
    with_partners("partner.from", 4).between("ABCDEF").comes_to(
        "offer; B accepts; C leaves; D leaves; E leaves; F leaves; start; box wins",
        "A+1 B-1 C0 D0 E0 F0, AB",
        "A+1 B-1 C0 D0 E0 F0, AB",
    );
}

#[test]
fn setting_partner_second_from() {
    with_partners("partner.second_from", 7).between("ABCDEFG").comes_to(
        "offer; B accepts; offer; C accepts; start; box wins",
        "offer: no_partnership; C accepts: not_offered; \
         A+2½ B+2½ C-1 D-1 E-1 F-1 G-1, ADEFGC with B",
        // Each gets a third of 4, and the odd half point is the box's.
        "A+2 B+1 C+1 D-1 E-1 F-1 G-1, AEFGD with BC",
    );
}

#[test]
fn setting_partner_offer_from_rear() {
    with_partners("partner.offer", "from_rear").comes_to(
        "offer; B accepts; F accepts",
        "F accepts: not_offered; A0 B0 C0 D0 E0 F0, ACDEF with B",
        "B accepts: not_offered; A0 B0 C0 D0 E0 F0, ABCDE with F",
    );
}

#[test]
fn setting_partner_offer_captain_then_rear() {
    with_partners("partner.offer", "captain_then_rear").comes_to(
        "offer; B declines; F accepts",
        "F accepts: not_offered; A0 B0 C0 D0 E0 F0, ABCDEF",
        "A0 B0 C0 D0 E0 F0, ABCDE with F",
    );
    with_partners("partner.offer", "captain_then_rear").comes_to(
        "offer; B declines; F declines; C accepts; E accepts",
        "F declines: not_offered; E accepts: not_offered; A0 B0 C0 D0 E0 F0, ABDEF with C",
        "C accepts: not_offered; A0 B0 C0 D0 E0 F0, ABCDF with E",
    );
}

#[test]
fn setting_partner_offer_next_in_line() {
    with_partners("partner.offer", "next_in_line").comes_to(
        "offer; B accepts",
        "A0 B0 C0 D0 E0 F0, ACDEF with B",
        "B accepts: not_offered; A0 B0 C0 D0 E0 F0, ABDEF with C",
    );
}

#[test]
fn setting_partner_offer_third_highest() {
    with_partners("partner.offer", "third_highest").comes_to(
        "offer; B accepts",
        "A0 B0 C0 D0 E0 F0, ACDEF with B",
        "B accepts: not_offered; A0 B0 C0 D0 E0 F0, ABDEF with C",
    );
    // Only before the first game.
    with_partners("partner.offer", "third_highest").comes_to(
        "start; box wins; offer; C accepts",
        "A+5 B-1 C-1 D-1 E-1 F-1, ADEFB with C",
        "offer: no_partnership; C accepts: not_offered; A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
    );
}

#[test]
fn setting_partner_share() {
    // A third of 4 points is 1⅓: the partner gets one, and the rest is the box's.
    with_partners("partner.share", "1/3").comes_to(
        "offer; B accepts; start; box wins",
        "A+2 B+2 C-1 D-1 E-1 F-1, ADEFC with B",
        "A+3 B+1 C-1 D-1 E-1 F-1, ADEFC with B",
    );
    with_partners("partner.share", "1/3").comes_to(
        "offer; B accepts; start; team wins",
        "A-2 B-2 C+1 D+1 E+1 F+1, CBDEFA",
        "A-3 B-1 C+1 D+1 E+1 F+1, CBDEFA",
    );
}

#[test]
fn setting_partner_rights_money_only() {
    // There is only one option: the box decides, and the partner has no cube.
    setting("partner.when", "optional").between("ABCDEF").comes_to(
        "offer; B accepts; start; B doubles; C doubles; B takes; A takes; box wins",
        "offer: not_in_rules; B accepts: not_offered; B takes: no_offer; A+7 B-2 C-2 D-1 E-1 F-1, ACDEFB",
        "B doubles: not_in_game; B takes: not_in_game; A+2½ B+2½ C-2 D-1 E-1 F-1, ADEFC with B",
    );
}

#[test]
fn setting_partner_after_loss_next_in_line() {
    with_partners("partner.after_loss", "next_in_line").comes_to(
        "offer; B accepts; start; team wins",
        "A-2 B-2 C+1 D+1 E+1 F+1, CBDEFA",
        "A-2 B-2 C+1 D+1 E+1 F+1, CEFBA with D",
    );
    // After a win the partnership stays.
    with_partners("partner.after_loss", "next_in_line").comes_to(
        "offer; B accepts; start; box wins",
        "A+2 B+2 C-1 D-1 E-1 F-1, ADEFC with B",
        "A+2 B+2 C-1 D-1 E-1 F-1, ADEFC with B",
    );
}
