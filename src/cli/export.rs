//! `owlbox export`: writes the club's books as a file for another program.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::args::Export;
use super::progress::Progress;
use owlbox_desk::Refused;
use owlbox_desk::books::exports;
use owlbox_desk::books::exports::NotExported;
use owlbox_desk::books::income::Period;
use owlbox_store::files::beside;
use owlbox_store::{AnyConnection, DatabaseUrl, Store};

/// Why the books were not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    NotExported(#[from] NotExported),
    /// The period ends before it begins.
    #[error("{code}: {0}", code = .0.code())]
    Refused(#[from] Refused),
    /// The output file cannot be written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
}

/// Exports the books, even beside a running server, to the file in the arguments or else to `out`, while they
/// are read. A file of the same name is replaced once the new one is whole, and never by a part.
///
/// # Errors
/// The database cannot be read, or the output cannot be written.
pub fn export(url: &DatabaseUrl, asked: &Export, out: impl Write) -> Result<(), ExportError> {
    let mut connection = Store::open_for_reading(url).map_err(NotExported::from)?;
    let Some(path) = &asked.output else { return write(&mut connection, asked, out) };
    // In the same folder, so that it can be renamed.
    let beside = beside(path, ".part");
    // What goes to standard output is seen to go there.
    let _progress = Progress::of("exporting the books");
    let failed = |error| ExportError::File { path: path.clone(), error };
    let file = File::create(&beside).map_err(failed)?;
    let written = write(&mut connection, asked, &file)
        .and_then(|()| file.sync_all().and_then(|()| std::fs::rename(&beside, path)).map_err(failed));
    written.inspect_err(|_| drop(std::fs::remove_file(&beside)))
}

fn write(connection: &mut AnyConnection, asked: &Export, out: impl Write) -> Result<(), ExportError> {
    let period = Period { from: asked.from, until: asked.until }.in_order()?;
    Ok(exports::export(connection, asked.format, period, &mut BufWriter::new(out))?)
}
