//! The books as files for other programs. A file is sent while it is written ([`Chunks`]): it is never held
//! as a whole, and a reader who stops taking it does not hold its place for long.

use std::io;
use std::time::{Duration, Instant};

use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::csv::Reader;
use owlbox_base::values::Day;
use owlbox_books::ledger::export::Format;
use owlbox_desk::books::exports::Exporting;
use owlbox_desk::books::income::Period;
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::spreadsheet::Spreadsheet;
use owlbox_locale::{Language, Locale};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(export_books);
}

/// How much is sent at a time.
const CHUNK: usize = 64 * 1024;
/// How many chunks may wait for the reader.
const WAITING: usize = 4;
/// How long a reader may take nothing. Less than what PostgreSQL lets a transaction be idle.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause before it is tried again whether the reader has taken something.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The program that is to read it: `hledger`, `beancount`, `gnucash-accounts`, `gnucash`, or a
    /// spreadsheet: `csv` (the default).
    #[serde(default)]
    #[cfg_attr(test, param(inline, value_type = Option<Format>))]
    format: Format,
    /// `spreadsheet`: as CSV for a person's spreadsheet, with a byte order mark, the separator and decimal
    /// mark of the language, headings in words, points and amounts; without ids.
    #[serde(rename = "for")]
    #[cfg_attr(test, param(inline))]
    reader: Option<Reader>,
    /// The language of that; by default the browser's, or the club's.
    #[cfg_attr(test, param(inline))]
    language: Option<Language>,
    /// Only what happened from this day on, on the club's clock.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only what happened up to and including this day.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
}

/// Exports the books for another program: all of them, or those of a period.
///
/// `hledger` and `beancount` give a whole file of that program; `gnucash-accounts` and `gnucash` what the two
/// importers of GnuCash read, in this order and in money only; `csv` a line for each posting. It is one
/// snapshot, sent while it is read; an answer that breaks off is not whole. Every transaction has its id, so
/// that one that is imported twice is found. Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(ExportQuery),
    responses(
        (status = 200, content((String = "text/plain"), (String = "text/csv"))),
        (status = 503, body = Problem, description = "As many exports as the service makes at a time are being made")
    )
))]
#[get("/ledger/export")]
async fn export_books(
    service: Service,
    caller: Caller,
    query: web::Query<ExportQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let ExportQuery { format, from, until, reader, language } = *query;
    let reader = Reader::locale(reader, language, &request).await?.filter(|_| format == Format::Csv);
    let period = Period { from: from.map(Day::date), until: until.map(Day::date) };
    let exporting = service.desk.exporting(&caller.actor).await?;
    let period = period.in_order()?;
    let (sender, receiver) = mpsc::channel(WAITING);
    actix_web::rt::spawn(send(exporting, format, period, reader, sender));
    let chunks = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|chunk: io::Result<web::Bytes>| (chunk, receiver))
    });
    Ok(HttpResponse::Ok()
        .content_type(format.media_type())
        .insert_header(("Content-Disposition", format!("attachment; filename=\"{}\"", format.file())))
        .streaming(chunks))
}

type Sender = mpsc::Sender<io::Result<web::Bytes>>;

/// Writes the file into the channel. If that fails, the answer is broken off, so that nobody takes a part of
/// the books for all of them.
async fn send(exporting: Exporting, format: Format, period: Period, reader: Option<Locale>, sender: Sender) {
    let spreadsheet = reader.map(Spreadsheet::new);
    let chunks = Chunks { sender: sender.clone(), spreadsheet, buffer: Vec::with_capacity(CHUNK) };
    if let Err(error) = exporting.write(format, period, chunks).await {
        // A reader who is gone - or who asked for the head alone - is no failure.
        if sender.send(Err(io::Error::other("the export failed"))).await.is_ok() {
            tracing::warn!(%error, "an export is cut off");
        }
    }
}

/// Collects what is written into chunks and waits for the reader to take them. To be used on a thread that
/// may block.
struct Chunks {
    sender: Sender,
    /// What a table goes through on its way to a person.
    spreadsheet: Option<Spreadsheet>,
    buffer: Vec<u8>,
}

impl Chunks {
    fn pass_on(&mut self) -> io::Result<()> {
        let mut chunk = Ok(web::Bytes::from(std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK))));
        let until = Instant::now() + PATIENCE;
        loop {
            match self.sender.try_send(chunk) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Closed(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(TrySendError::Full(_)) if Instant::now() >= until => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(TrySendError::Full(back)) => chunk = back,
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl io::Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.spreadsheet {
            Some(spreadsheet) => self.buffer.extend_from_slice(spreadsheet.lines(bytes).as_bytes()),
            None => self.buffer.extend_from_slice(bytes),
        }
        if self.buffer.len() >= CHUNK {
            self.pass_on()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() { Ok(()) } else { self.pass_on() }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_is_written_arrives_in_chunks_and_in_order() {
        let (sender, mut receiver) = mpsc::channel(WAITING);
        let mut chunks = Chunks { sender, spreadsheet: None, buffer: Vec::new() };
        let text: Vec<u8> = (0..CHUNK + 7).map(|at| u8::try_from(at % 251).unwrap()).collect();
        chunks.write_all(&text[..10]).unwrap();
        assert!(receiver.try_recv().is_err(), "nothing is sent before there is a chunk");
        chunks.write_all(&text[10..]).unwrap();
        chunks.write_all(b"end").unwrap();
        chunks.flush().unwrap();
        chunks.flush().unwrap();
        drop(chunks);
        let mut arrived = Vec::new();
        let mut sent = 0;
        while let Some(chunk) = receiver.blocking_recv() {
            arrived.extend_from_slice(&chunk.unwrap());
            sent += 1;
        }
        assert_eq!((arrived, sent), ([&text[..], b"end"].concat(), 2));
    }

    #[test]
    fn a_reader_who_is_gone_ends_it() {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut chunks = Chunks { sender, spreadsheet: None, buffer: Vec::new() };
        drop(receiver);
        chunks.write_all(b"some").unwrap();
        assert_eq!(chunks.flush().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_writer_waits_for_a_slow_reader() {
        let (sender, mut receiver) = mpsc::channel(1);
        let mut chunks = Chunks { sender, spreadsheet: None, buffer: Vec::new() };
        let writer = std::thread::spawn(move || {
            for byte in 0..5 {
                chunks.write_all(&[byte]).unwrap();
                chunks.flush().unwrap();
            }
        });
        for byte in 0..5 {
            std::thread::sleep(3 * PAUSE);
            assert_eq!(receiver.blocking_recv().unwrap().unwrap(), vec![byte]);
        }
        writer.join().unwrap();
    }
}
