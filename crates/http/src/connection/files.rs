//! Room for connections within the system's limit on open files.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit on open files as far as `connections` and `besides` need it and the system allows.
/// Returns how many connections there is room for.
#[must_use]
pub fn make_room(connections: usize, besides: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = u64::try_from(connections.saturating_add(besides)).unwrap_or(u64::MAX);
    let attainable = limit.maximum.map_or(wanted, |most| most.min(wanted));
    let mut attained = limit.current.map_or(wanted, |now| now.min(wanted));
    if attained < attainable {
        match setrlimit(Resource::Nofile, Rlimit { current: Some(attainable), maximum: limit.maximum }) {
            Ok(()) => attained = attainable,
            Err(error) => tracing::warn!(%error, "the limit of open files cannot be raised"),
        }
    }
    let room = room_of(usize::try_from(attained).unwrap_or(usize::MAX), connections, besides);
    if room < connections {
        tracing::warn!(
            files = attained,
            connections = room,
            "the system allows too few open files for http.connections: raise LimitNOFILE"
        );
    }
    room
}

/// How many clubs may be open, at most as many as `wanted`, that have so many files each: half of the files
/// that the system allows are left to connections.
#[must_use]
pub fn room_for_clubs(wanted: usize, files_of_each: usize) -> usize {
    let most = getrlimit(Resource::Nofile)
        .maximum
        .map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let room = clubs_of(most, wanted, files_of_each);
    if room < wanted {
        tracing::warn!(
            files = most,
            clubs = room,
            "the system allows too few open files for clubs.awake: raise LimitNOFILE"
        );
    }
    room
}

/// The clubs that half of the files allow; at least one.
fn clubs_of(files: usize, wanted: usize, files_of_each: usize) -> usize {
    (files / 2 / files_of_each.max(1)).clamp(1, wanted.max(1))
}

/// The connections that `files` allow after `besides` are subtracted; at least one.
fn room_of(files: usize, connections: usize, besides: usize) -> usize {
    files.saturating_sub(besides).clamp(1, connections.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_connections_than_files() {
        assert_eq!(room_of(5000, 4000, 160), 4000);
        assert_eq!(room_of(1024, 4000, 160), 864);
        assert_eq!(room_of(100, 4000, 160), 1, "it can be told that it is full");
    }

    #[test]
    fn clubs_leave_half_of_the_files_to_connections() {
        assert_eq!(clubs_of(16384, 200, 28), 200);
        assert_eq!(clubs_of(1024, 200, 28), 18);
        assert_eq!(clubs_of(10, 200, 28), 1);
        assert_eq!(clubs_of(usize::MAX, 200, 28), 200);
    }
}
