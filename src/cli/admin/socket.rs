//! The socket through which a service on SQLite, which has its database alone, is given a [`LoginOrder`] by
//! the command line.
//!
//! It stands beside the database, `owlbox.db.admin`, and only the user that the service runs as and root can
//! use it. One line of JSON is the order, one the answer. Where there are many clubs there is none: a command
//! has the club alone for a moment, as every other that writes.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{LoginOrder, carry_out, said};
use owlbox_desk::Desk;
use owlbox_store::files::beside;

/// The longest line either way, in bytes.
pub const LONGEST: u64 = 8192;
/// How long a client that has connected may take to give an order, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the command line waits for the answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);
/// The most connections at a time; further ones wait.
const AT_ONCE: usize = 4;
pub(super) const ROOT: u32 = 0;

/// Why a service that was asked has not answered.
#[derive(Debug, thiserror::Error)]
pub enum NotAnswered {
    #[error("{}: {error}", path.display())]
    Closed { path: PathBuf, error: io::Error },
    /// Somebody else listens there than the owner of the database.
    #[error("{} is served by uid {uid}, which does not own the database", path.display())]
    Stranger { path: PathBuf, uid: u32 },
    /// It may have carried the order out.
    #[error("the service at {} did not answer, so the command may be done or not: {error}", path.display())]
    Silent { path: PathBuf, error: io::Error },
}

/// What came of asking.
#[derive(Debug)]
pub enum Asked {
    Done(String),
    Refused(String),
    /// Nobody listens.
    Nobody(io::Error),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Done(String),
    Refused(String),
}

/// Where the socket of a database is: the same, whichever link leads to the database, as its lock.
#[must_use]
pub fn beside_database(database: &Path) -> PathBuf {
    beside(&database.canonicalize().unwrap_or_else(|_| database.to_owned()), ".admin")
}

/// A socket that is listened on. Its file is removed when this is dropped.
pub struct AdminSocket {
    path: PathBuf,
    listening: JoinHandle<()>,
}

impl AdminSocket {
    /// Begins to take orders for this club. The caller of this has the database's lock, so that a socket that
    /// is there already was left by a service that is gone. `url` is where browsers reach the club.
    ///
    /// # Errors
    /// There can be no socket: the path is too long, say, or the file system has none.
    pub fn begin(database: &Path, desk: Desk, url: String) -> io::Result<Self> {
        let path = beside_database(database);
        let (listener, owner) = bind(&path)?;
        let listening = tokio::spawn(listen(listener, owner, desk, url));
        Ok(Self { path, listening })
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        self.listening.abort();
        drop(fs::remove_file(&self.path));
    }
}

/// A listener at `path` and the user whose it is. It is made in a folder that nobody else can enter, and
/// moved from there once nobody else can open it.
fn bind(path: &Path) -> io::Result<(UnixListener, u32)> {
    match fs::symlink_metadata(path) {
        Ok(there) if !there.file_type().is_socket() => {
            return Err(io::Error::other("a file with this name exists already"));
        }
        Ok(_) | Err(_) => {}
    }
    let owner = UnixStream::pair()?.0.peer_cred()?.uid();
    let folder = beside(path, ".new");
    let made = folder.join("s");
    // What a start has left that broke off here. A link, or a folder of somebody else's, is not ours to look
    // into.
    if fs::symlink_metadata(&folder).is_ok_and(|left| left.is_dir() && left.uid() == owner) {
        drop(fs::remove_file(&made));
        drop(fs::remove_dir(&folder));
    }
    DirBuilder::new().mode(0o700).create(&folder)?;
    let bound = UnixListener::bind(&made).and_then(|listener| {
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        fs::rename(&made, path)?;
        Ok((listener, owner))
    });
    drop(fs::remove_file(&made));
    drop(fs::remove_dir(&folder));
    bound
}

async fn listen(listener: UnixListener, owner: u32, desk: Desk, url: String) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let url: Arc<str> = url.into();
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Without files for another connection, say.
            Err(error) => {
                tracing::warn!(%error, "cannot listen on the admin socket");
                tokio::time::sleep(PATIENCE).await;
                continue;
            }
        };
        let (desk, url) = (desk.clone(), Arc::clone(&url));
        tokio::spawn(async move {
            if let Err(error) = attend(stream, owner, &desk, &url).await {
                tracing::warn!(%error, "a command of the command line was not carried out");
            }
            drop(place);
        });
    }
}

/// Takes one order and answers it.
async fn attend(mut stream: UnixStream, owner: u32, desk: &Desk, url: &str) -> io::Result<()> {
    let uid = stream.peer_cred()?.uid();
    if uid != owner && uid != ROOT {
        return Err(io::Error::other(format!("uid {uid} is neither the service's user nor root")));
    }
    let line = timeout(PATIENCE, read_line(&mut stream)).await??;
    let answer = match serde_json::from_str(&line) {
        Ok(order) => match carry_out(desk, order, url).await {
            Ok(done) => Answer::Done(done),
            Err(refused) => Answer::Refused(said(&refused)),
        },
        Err(_) => {
            Answer::Refused("the service does not know this command: it has another version".to_owned())
        }
    };
    timeout(PATIENCE, stream.write_all(&line_of(&answer)?)).await?
}

/// Gives a service the order, if one listens.
///
/// # Errors
/// [`NotAnswered`].
pub async fn ask(path: &Path, order: &LoginOrder) -> Result<Asked, NotAnswered> {
    let closed = |error| NotAnswered::Closed { path: path.to_owned(), error };
    let order = line_of(order).map_err(closed)?;
    if u64::try_from(order.len()).is_ok_and(|length| length > LONGEST) {
        return Ok(Asked::Refused(format!(
            "a command has at most {LONGEST} bytes: the password is too long"
        )));
    }
    let mut stream = match UnixStream::connect(path).await {
        Ok(stream) => stream,
        // No socket, one that was left, or a path that is too long for one.
        Err(error)
            if [io::ErrorKind::NotFound, io::ErrorKind::ConnectionRefused, io::ErrorKind::InvalidInput]
                .contains(&error.kind()) =>
        {
            return Ok(Asked::Nobody(error));
        }
        Err(error) => return Err(closed(error)),
    };
    // A password is given to nobody but the service.
    let uid = stream.peer_cred().map_err(closed)?.uid();
    let database = path.with_extension("");
    if uid != ROOT && uid != fs::metadata(&database).map_err(closed)?.uid() {
        return Err(NotAnswered::Stranger { path: path.to_owned(), uid });
    }
    let answered = timeout(ANSWERED_WITHIN, async {
        stream.write_all(&order).await?;
        read_line(&mut stream).await
    });
    let line = answered.await.unwrap_or_else(|late| Err(late.into()));
    let answer = line.and_then(|line| Ok(serde_json::from_str(&line)?));
    match answer.map_err(|error| NotAnswered::Silent { path: path.to_owned(), error })? {
        Answer::Done(said) => Ok(Asked::Done(said)),
        Answer::Refused(why) => Ok(Asked::Refused(why)),
    }
}

async fn read_line(stream: &mut UnixStream) -> io::Result<String> {
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line).await?;
    if line.ends_with('\n') { Ok(line) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn line_of(said: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    Ok(line)
}
