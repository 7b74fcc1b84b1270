//! Random house rules, and the options that settings have.

use std::collections::BTreeSet;

use serde_json::Value;

use super::dice::Dice;
use crate::rules::catalogue::{self, Kind};
use crate::rules::*;
use owlbox_engine::game::{BoardRules, ClosedOut};
use owlbox_engine::{Animals, CubeValue, Variant};

const CAPS: [Option<u32>; 6] = [None, None, Some(1), Some(2), Some(4), Some(16)];
const SHARES: [PartnerShare; 4] = [
    PartnerShare::Half,
    PartnerShare::Half,
    PartnerShare::Fraction { numerator: 1, denominator: 3 },
    PartnerShare::Fraction { numerator: 2, denominator: 5 },
];

fn count(dice: &mut Dice, from: u8, to: u8) -> PlayerCount {
    let players = (from..=to).collect::<Vec<u8>>();
    PlayerCount::try_from(dice.pick(&players)).unwrap()
}

fn any<T: Options>(dice: &mut Dice) -> T {
    dice.pick(T::OPTIONS).0
}

/// Random rules, drawn again until they are free of contradictions.
pub fn house_rules(dice: &mut Dice) -> HouseRules {
    loop {
        let mut rules = any_rules(dice);
        if !rules.game.variant.has_cube() {
            // Without this hardly any rules for these variants would be free of contradictions (V4).
            (rules.cube_cap, rules.jacoby) = (Some(CubeValue::ONE), Jacoby::Off);
            (rules.animals, rules.automatics.at_most) = (Animals::None, Some(0));
        }
        if rules.check().is_ok() {
            return rules;
        }
    }
}

fn any_rules(dice: &mut Dice) -> HouseRules {
    HouseRules {
        order: OrderRules { dice: any::<OrderDice>(dice) },
        cubes: any::<Cubes>(dice),
        box_retention: any::<BoxRetention>(dice),
        double_stand_up: any::<DoubleStandUp>(dice),
        newcomer: any::<Newcomer>(dice),
        captain_drops: any::<CaptainDrops>(dice),
        partner: PartnerRules {
            when: any::<PartnerWhen>(dice),
            from: count(dice, 3, 7),
            second_from: dice.one_in(2).then(|| count(dice, 5, 8)),
            offer: any::<PartnerOffer>(dice),
            share: dice.pick(&SHARES),
            rights: any::<PartnerRights>(dice),
            after_loss: any::<PartnerAfterLoss>(dice),
        },
        consultation: any::<Consultation>(dice),
        decision_order: any::<DecisionOrder>(dice),
        box_restraint: any::<BoxRestraint>(dice),
        late_doubles: any::<LateDoubles>(dice),
        jacoby: any::<Jacoby>(dice),
        animals: any::<Animals>(dice),
        lone_taker: LoneTakerRules {
            rule: any::<LoneTaker>(dice),
            from: count(dice, 3, 6),
            extras_from: any::<ExtrasFrom>(dice),
        },
        automatics: Automatics {
            at_most: dice.pick(&[None, Some(0), Some(1), Some(2), Some(3)]),
            later: any::<LaterAutomatics>(dice),
            carry_over: dice.one_in(2),
        },
        cube_cap: dice.pick(&CAPS).map(|cap| CubeValue::try_from(cap).unwrap()),
        settlements: any::<Settlements>(dice),
        stakes: any::<Stakes>(dice),
        leaving: Leaving { mid_game: any::<LeavingMidGame>(dice), on_break: any::<BreakPlace>(dice) },
        declining: any::<Declining>(dice),
        table_size: TableSize { at_most: count(dice, 6, 12), split: any::<SplitFrom>(dice) },
        heads_up: any::<HeadsUp>(dice),
        game: BoardRules {
            variant: any::<Variant>(dice),
            strict_larger_die: dice.one_in(2),
            closed_out: any::<ClosedOut>(dice),
        },
        other_games: any::<OtherGames>(dice),
        takers_move_up: any::<TakersMoveUp>(dice),
    }
}

/// The options in force, as `key=option`. Numbers are not options.
pub fn options(rules: &HouseRules) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    collect("", &serde_json::to_value(rules).unwrap(), &mut options);
    options
}

fn collect(key: &str, value: &Value, options: &mut BTreeSet<String>) {
    match value {
        Value::Object(settings) => {
            for (name, value) in settings {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                collect(&key, value, options);
            }
        }
        Value::Number(_) => {
            options.insert(format!("{key}=a number"));
        }
        other => {
            options.insert(format!("{key}={}", other.as_str().map_or(other.to_string(), Into::into)));
        }
    }
}

/// Every option of every setting, as the catalogue lists them.
pub fn every_option() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for setting in catalogue::settings() {
        let options: Vec<String> = match &setting.kind {
            Kind::Choice { options } => options.iter().map(|choice| choice.option.clone()).collect(),
            Kind::Number { nullable, .. } => {
                ["a number", "null"].into_iter().take(1 + usize::from(*nullable)).map(Into::into).collect()
            }
            Kind::Switch => vec!["false".into(), "true".into()],
            Kind::Text { .. } => SHARES.iter().map(ToString::to_string).collect(),
        };
        all.extend(options.into_iter().map(|option| format!("{}={option}", setting.key)));
    }
    all
}
