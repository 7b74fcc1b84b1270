//! The fuzz targets (`fuzz/`) as plain tests: the samples as they are, then mutated as often as a test run
//! can afford. The inputs are the same in every run, so a failure is reproducible. Looking for new failures
//! is the fuzzer's work.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use serde_json::Value;

#[path = "../../fuzz/targets.rs"]
mod targets;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/tests/data")
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&fs::read(data().join(name)).unwrap()).unwrap()
}

/// One field of the states in `ids.json`. A notation that cannot express a state has no text there.
fn ids(field: &str) -> Vec<Vec<u8>> {
    let ids = json("ids.json");
    ids["vectors"].as_array().unwrap().iter().filter_map(|one| Some(one[field].as_str()?.into())).collect()
}

/// The exchanged files of a format, and the first game of each on its own, up to where `next` begins. A
/// mutation of a shorter file is more likely to be readable.
fn matches(extension: &str, next: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(data().join("mat")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let first = texts.iter().filter_map(|text| Some(text.split_once(next)?.0.to_owned()));
    first.chain(texts.iter().cloned()).map(String::into_bytes).collect()
}

/// `ID roll play` for every play of `edge_cases.json`.
fn plays() -> Vec<Vec<u8>> {
    let cases = json("edge_cases.json");
    let sample = |case: &Value, play: &Value| {
        let (id, roll) = (case["position"]["id"].as_str().unwrap(), &case["roll"]);
        format!("{id} {}{} {}", roll[0], roll[1], play.as_str().unwrap()).into_bytes()
    };
    let cases = cases["cases"].as_array().unwrap();
    cases
        .iter()
        .flat_map(|case| case["plays"].as_array().unwrap().iter().map(|play| sample(case, play)))
        .collect()
}

/// What readers find hard: the special characters of the formats, bounds, and non-ASCII text.
const SIGNS: &[&str] = &[
    "0", "1", "6", "7", "9", "25", "26", "-1", "65536", "/", "*", "(2)", "(9)", "bar", "off", ":", ";", "=>",
    "\n", "\r\n", "\t", " ", "[", "]", "(", ")", "\\", "A", "Z", "z", "+=", "\0", "\u{feff}", "é", "２",
];

/// Mutates samples a little: mostly in one place, sometimes in a few.
struct Mutations(ChaCha20Rng);

impl Mutations {
    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64() % u64::try_from(bound).unwrap()).unwrap()
    }

    /// A range of at most sixteen bytes in a text of this length.
    fn range(&mut self, length: usize) -> Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(17)).min(length)
    }

    fn mutated(&mut self, samples: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = samples[self.below(samples.len())].clone();
        loop {
            let (range, replacement) = self.change(&bytes, samples);
            bytes.splice(range, replacement);
            if self.below(3) > 0 {
                return bytes;
            }
        }
    }

    /// The range of `bytes` to replace, and its replacement.
    fn change(&mut self, bytes: &[u8], samples: &[Vec<u8>]) -> (Range<usize>, Vec<u8>) {
        let other = &samples[self.below(samples.len())];
        let (from, to) = (self.range(other.len()), self.range(bytes.len()));
        match self.below(8) {
            0 => (to, vec![]),
            1 => (to.start..bytes.len(), vec![]),
            2 => (to, SIGNS[self.below(SIGNS.len())].into()),
            3 => (to.start..to.start, SIGNS[self.below(SIGNS.len())].into()),
            4 => (to, other[from].into()),
            5 => (to.start..to.start, other[from].into()),
            6 => (to.start..(to.start + 1).min(bytes.len()), vec![self.0.next_u32().to_le_bytes()[0]]),
            // Something from another sample of the format, which is the gentlest mutation.
            _ => (
                to.start..(to.start + 1).min(bytes.len()),
                other[from.start..].iter().take(1).copied().collect(),
            ),
        }
    }
}

/// Reports the input that broke the promise.
struct Tried<'a>(&'a [u8]);

impl Drop for Tried<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input:\n{}", self.0.escape_ascii());
        }
    }
}

fn withstands(target: fn(&[u8]), samples: &[Vec<u8>], mutations: usize) {
    assert!(!samples.is_empty());
    let attempt = |bytes: &[u8]| {
        let _tried = Tried(bytes);
        target(bytes);
    };
    attempt(b"");
    samples.iter().for_each(|sample| attempt(sample));
    let mut chance = Mutations(ChaCha20Rng::from_seed([7; 32]));
    (0..mutations).for_each(|_| attempt(&chance.mutated(samples)));
}

#[test]
fn position_ids() {
    withstands(targets::position_id, &ids("position_id"), 5_000);
}

#[test]
fn match_ids() {
    withstands(targets::match_id, &ids("match_id"), 5_000);
}

#[test]
fn xgids() {
    withstands(targets::xgid, &ids("xgid"), 5_000);
}

#[test]
fn written_plays() {
    withstands(targets::play, &plays(), 5_000);
}

#[test]
fn match_texts() {
    withstands(targets::mat, &matches("mat", "\n Game 2"), 300);
}

#[test]
fn sgf_files() {
    withstands(targets::sgf, &matches("sgf", "\n(;"), 300);
}

#[test]
fn json_files() {
    let mut samples = matches("json", ", {\"info\"");
    // A first game on its own needs its closing brackets.
    for sample in samples.iter_mut().filter(|sample| !sample.trim_ascii_end().ends_with(b"]}")) {
        sample.extend(b"]}");
    }
    withstands(targets::json, &samples, 300);
}
