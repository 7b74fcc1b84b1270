//! What an export needs of memory, of a year and of all years.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use owlbox_books::ledger::export::Format;
use owlbox_desk::Actor;
use owlbox_desk::books::income::Period;

use super::club::{Club, day};

pub fn measure(database: &str, club: &Club) {
    let year = Period { from: Some(day(club.year, 1)), until: None };
    for (what, period) in [("the last year", year), ("all years", Period::default())] {
        // The first time, buffers that are kept are filled.
        for again in [false, true] {
            let begun = Instant::now();
            let ((lines, bytes), grown) = most_memory(|| export(club, period));
            if again {
                let took = begun.elapsed();
                let [size, grown] = [bytes, grown].map(|bytes| bytes / 1_000);
                println!(
                    "{database}, export of {what}: {lines} lines, {size} kB in {took:.2?}: memory grew by {grown} kB"
                );
            }
        }
    }
}

/// Exports, and counts lines and bytes.
fn export(club: &Club, period: Period) -> (u64, u64) {
    let counted = Counted::default();
    club.runtime.block_on(async {
        let exporting = club.desk.exporting(&Actor::CONSOLE).await.unwrap();
        exporting.write(Format::Csv, period, counted.clone()).await.unwrap();
    });
    (counted.0.0.load(Ordering::Relaxed), counted.0.1.load(Ordering::Relaxed))
}

/// Counts lines and bytes and keeps nothing.
#[derive(Clone, Default)]
struct Counted(std::sync::Arc<(AtomicU64, AtomicU64)>);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        self.0.0.fetch_add(u64::try_from(lines).unwrap(), Ordering::Relaxed);
        self.0.1.fetch_add(u64::try_from(bytes.len()).unwrap(), Ordering::Relaxed);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Does the work and says by how much the process grew meanwhile, in bytes. Looked at every millisecond,
/// without what is mapped of files, which the kernel's own peak would count.
fn most_memory<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (done, before) = (AtomicBool::new(false), memory());
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = memory();
            while !done.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_millis(1));
                most = most.max(memory());
            }
            most
        });
        let made = work();
        done.store(true, Ordering::Release);
        (made, watching.join().unwrap().saturating_sub(before))
    })
}

/// The memory of the process that belongs to no file, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
}
