//! The service from outside: over HTTP, from the command line, in a browser; on SQLite and on PostgreSQL. It
//! is one binary, to link only once. `bash tests/run.sh` starts what this needs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::wildcard_enum_match_arm, reason = "tests")]

mod support;

mod attacks;
mod browser;
mod chouettes;
mod cli;
mod clients;
mod clubs;
mod commands_page;
mod contests;
mod continuity;
mod copies;
mod crash;
mod crowd;
mod directing;
mod document;
mod documents;
mod engine;
mod exports;
mod faults;
mod fixtures;
mod flooding;
mod flows;
mod foreign_files;
mod fuzz;
mod gnubg;
mod guard;
mod house_rules;
mod importing;
mod income;
mod limits;
mod live;
mod match_pages;
mod matches;
mod migrations;
mod night;
mod night_files;
mod offers;
mod people;
mod pools;
mod privacy;
mod questions;
mod ratings;
mod readme;
mod reference;
mod refused_forms;
mod registrations;
mod settle_up;
mod shares;
mod sheets;
mod statistics;
mod stories;
mod tables;
mod tampering;
mod tournament_pages;
mod tournament_sheets;
mod tournaments;
mod treasury;
mod variants;
mod verified;
mod walk;
mod weights;
mod year;
