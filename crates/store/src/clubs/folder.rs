//! Clubs in a folder: `NAME.db`, and beside it the key that signs for it, `NAME.key`.
//!
//! Everybody who opens, creates, moves or puts away a club goes through its *door*, a lock on `NAME.door`:
//! those who open it pass one beside the other, the one who wants it alone shuts it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ClubLabel, ClubLocation, ClubsError, Identity, LET_GO_WITHIN};
use crate::backup::{self, BackupError};
use crate::files::{beside, sync_folder_of, write_secret};
use crate::{DatabaseUrl, StoreError, checkpointer, in_time, lock_file, make_private};

/// The folder of archived clubs.
const ARCHIVE: &str = "archive";

#[derive(Clone)]
pub struct Folder(Arc<Path>);

/// The lock of a club's file; it is released when this is dropped.
pub struct ClubLock {
    _lock: File,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ClubsError {
    move |error| ClubsError::File { path: path.to_owned(), error }
}

impl Folder {
    pub(super) fn at(path: &Path) -> Result<Self, ClubsError> {
        if path.is_file() {
            return Err(ClubsError::Place("that is a file; where there are many clubs it is their folder"));
        }
        Ok(Self(path.into()))
    }

    fn file(&self, label: &ClubLabel) -> PathBuf {
        self.0.join(format!("{label}.db"))
    }

    pub(super) fn location(&self, label: &ClubLabel) -> ClubLocation {
        ClubLocation { url: DatabaseUrl::Sqlite(self.file(label)), identity: Identity::Locked }
    }

    pub(super) fn list(&self) -> Result<Vec<ClubLabel>, ClubsError> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            // Before the first is created.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&self.0)(error)),
        };
        let mut labels = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed(&self.0))?.file_name();
            let label = name.to_str().and_then(|name| name.strip_suffix(".db")?.parse().ok());
            labels.extend(label);
        }
        Ok(labels)
    }

    pub(super) fn find(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        let file = self.file(label);
        match file.try_exists() {
            Ok(true) => Ok(self.location(label)),
            Ok(false) => Err(ClubsError::NoSuchClub(label.clone())),
            Err(error) => Err(failed(&file)(error)),
        }
    }

    /// Goes through the door of a club that is there.
    pub(super) fn pass(&self, label: &ClubLabel) -> Result<ClubLock, ClubsError> {
        self.find(label)?;
        let (door, path) = self.door(label)?;
        match door.try_lock_shared() {
            Ok(()) => Ok(ClubLock { _lock: door }),
            Err(TryLockError::WouldBlock) => Err(ClubsError::Borrowed(label.clone())),
            Err(TryLockError::Error(error)) => Err(failed(&path)(error)),
        }
    }

    fn door(&self, label: &ClubLabel) -> Result<(File, PathBuf), ClubsError> {
        use std::os::unix::fs::OpenOptionsExt as _;
        let path = self.0.join(format!("{label}.door"));
        let opened = File::options().create(true).truncate(false).write(true).mode(0o600).open(&path);
        Ok((opened.map_err(failed(&path))?, path))
    }

    /// Shuts the door, as soon as nobody goes through it.
    fn shut(&self, label: &ClubLabel) -> Result<ClubLock, ClubsError> {
        let (door, path) = self.door(label)?;
        let shut = in_time(LET_GO_WITHIN, || match door.try_lock() {
            Ok(()) => Ok(Some(())),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(&path)(error)),
        })?;
        shut.map(|()| ClubLock { _lock: door }).ok_or_else(|| ClubsError::Borrowed(label.clone()))
    }

    pub(super) fn borrow(&self, label: &ClubLabel) -> Result<ClubLock, ClubsError> {
        self.find(label)?;
        let door = self.shut(label)?;
        self.find(label)?;
        // A service that has it open sees that its door is shut.
        drop(self.closed(label)?);
        Ok(door)
    }

    pub(super) fn wanted(&self, open: &[(ClubLabel, Identity)]) -> Result<Vec<ClubLabel>, ClubsError> {
        let mut wanted = Vec::new();
        for (label, _) in open {
            match self.pass(label) {
                Ok(_) => {}
                Err(ClubsError::Borrowed(label) | ClubsError::NoSuchClub(label)) => wanted.push(label),
                Err(failed) => return Err(failed),
            }
        }
        Ok(wanted)
    }

    /// Shuts the door of a club that is still to come.
    fn reserve(&self, label: &ClubLabel) -> Result<ClubLock, ClubsError> {
        make(&self.0)?;
        let door = self.shut(label)?;
        if self.file(label).exists() {
            return Err(ClubsError::Exists(label.clone()));
        }
        // The log of a club whose file is lost would be taken for the new one's.
        let log = beside(&self.file(label), "-wal");
        if log.exists() { Err(BackupError::Exists(log).into()) } else { Ok(door) }
    }

    pub(super) fn create(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        let _door = self.reserve(label)?;
        self.without_stray_key(label, None)?;
        make_private(&self.file(label))?;
        sync(&self.file(label))?;
        Ok(self.location(label))
    }

    pub(super) fn adopt(
        &self,
        label: &ClubLabel,
        from: &Path,
    ) -> Result<(ClubLocation, Vec<String>), ClubsError> {
        let no_club = |why| Err(ClubsError::NoClub { from: from.display().to_string(), why });
        if !from.is_file() {
            return no_club("give the SQLite file of a club");
        }
        if from.parent().is_some_and(|folder| same(folder, &self.0)) {
            return no_club("it is one of the many already");
        }
        let _door = self.reserve(label)?;
        let (file, key) = (self.file(label), from.with_extension("key"));
        // A copy by the database itself, which brings along what is only in its log. It becomes the club's
        // last of all.
        let coming = self.0.join(format!("{label}.coming"));
        backup::remove(&coming);
        let copied = backup::backup_ours(from, &coming);
        let arrived = copied.and_then(|()| backup::admit(&coming, from)).map_err(|error| {
            if let BackupError::NotACopy { why, .. } = error {
                // Not of the copy, whose name nobody knows.
                BackupError::NotACopy { path: from.to_owned(), why }
            } else {
                error
            }
        });
        let arrived = arrived.map_err(ClubsError::from).and_then(|left| {
            // Without a key beside it, one that waits for the club is its own.
            if key.is_file() {
                self.without_stray_key(label, Some(&key))?;
                copy_key(&key, &file.with_extension("key"))?;
            }
            std::fs::rename(&coming, &file).map_err(failed(&file))?;
            sync(&file)?;
            Ok(left)
        });
        if arrived.is_err() {
            backup::remove(&coming);
        }
        arrived.map(|left| (self.location(label), left))
    }

    pub(super) fn rename(&self, door: ClubLock, label: &ClubLabel, to: &ClubLabel) -> Result<(), ClubsError> {
        let _there = self.reserve(to)?;
        self.without_stray_key(to, Some(&self.file(label).with_extension("key")))?;
        let to = self.file(to);
        self.carry(door, label, &to)
    }

    pub(super) fn archive(
        &self,
        door: ClubLock,
        label: &ClubLabel,
        name: &str,
    ) -> Result<String, ClubsError> {
        let folder = self.0.join(ARCHIVE);
        make(&folder)?;
        let to = folder.join(format!("{name}.db"));
        if to.exists() {
            return Err(failed(&to)(io::ErrorKind::AlreadyExists.into()));
        }
        self.carry(door, label, &to)?;
        Ok(to.display().to_string())
    }

    /// Moves a club's file and its key. Whenever this breaks off, the key is beside the file.
    fn carry(&self, _door: ClubLock, label: &ClubLabel, to: &Path) -> Result<(), ClubsError> {
        let from = self.file(label);
        let _lock = self.closed(label)?;
        whole(&from)?;
        let (old_key, new_key) = (from.with_extension("key"), to.with_extension("key"));
        if old_key.is_file() {
            copy_key(&old_key, &new_key)?;
        }
        std::fs::rename(&from, to).map_err(failed(&from))?;
        backup::carry_kept(&from, to)?;
        sync(to)?;
        sync(&from)?;
        // The door and the lock stay: others may be waiting for them.
        match std::fs::remove_file(&old_key) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&old_key)(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// The club's lock, once nobody has it open any more.
    fn closed(&self, label: &ClubLabel) -> Result<File, ClubsError> {
        match lock_file(&self.file(label), LET_GO_WITHIN) {
            Ok(lock) => Ok(lock),
            Err(StoreError::InUse(_)) => Err(ClubsError::InUse(label.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses a key that waits where a club is to come, unless it is this one, as after a move that broke
    /// off.
    fn without_stray_key(&self, label: &ClubLabel, own: Option<&Path>) -> Result<(), ClubsError> {
        let key = self.file(label).with_extension("key");
        let is_own =
            |own: &Path| std::fs::read(own).is_ok_and(|own| std::fs::read(&key).is_ok_and(|key| key == own));
        if key.exists() && !own.is_some_and(is_own) { Err(ClubsError::StrayKey(key)) } else { Ok(()) }
    }
}

/// Makes a folder that only its owner can read, if it is not there.
fn make(folder: &Path) -> Result<(), ClubsError> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed(folder))
}

fn sync(file: &Path) -> Result<(), ClubsError> {
    sync_folder_of(file).map_err(failed(file))
}

/// Brings what is only in the log into the file, so that the file alone is the club.
fn whole(file: &Path) -> Result<(), ClubsError> {
    // Its connection is the last to close, which removes log and index. A reader who is in the way would take
    // a later club's log for this one's.
    let emptied = checkpointer::truncate_wal(file)?;
    let is_read = ["-wal", "-shm"].iter().any(|end| beside(file, end).exists());
    if emptied && !is_read { Ok(()) } else { Err(StoreError::InUse(file.to_owned()).into()) }
}

/// Writes a key to where its club goes.
fn copy_key(from: &Path, to: &Path) -> Result<(), ClubsError> {
    let secret = std::fs::read(from).map_err(failed(from))?;
    write_secret(to, &secret).map_err(failed(to))
}

/// Whether two paths are one folder.
fn same(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| path.canonicalize().ok();
    resolved(one).is_some_and(|one| resolved(other) == Some(one))
}
