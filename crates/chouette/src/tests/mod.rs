//! Nights played out in tests. Players are letters, and what happens is given as commands or in words (see
//! [`said`]).

mod corrections;
mod cube;
mod golden;
mod model;
mod naive;
mod night;
mod people;
mod random_nights;
mod refereed;
mod refusals;
mod roles;
mod rulebook;
mod said;
mod settings;
mod stakes;
mod wire;
mod worked_scores;

use night::{
    Night, Script, against, double, drop, finish, join, leave, letter, letters, now, open, plain, player,
    players, roll, rolls, rules, start, take,
};
