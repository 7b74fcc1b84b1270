//! Group commit on both databases.

use std::marker::PhantomData;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use super::*;
use crate::books::{self, game};
use crate::connection::{Use, connect};
use crate::idempotency::{ReceiptKey, StoredReceipt};
use crate::notify::Notification;
use crate::schema::{balance, book_chain, idempotency, ledger_transaction};
use crate::work::{erased, typed};
use crate::{Database, DatabaseUrl, Store};
use owlbox_base::values::AccountId;

/// A refusal, or a failure of the store.
#[derive(Debug)]
enum No {
    Refused,
    Failed(StoreError),
}

impl From<StoreError> for No {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl Failure for No {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Failed(error) = self { Some(error) } else { None }
    }
}

/// Where a unit is answered that makes a `T`.
struct Answered<T>(oneshot::Receiver<UnitAnswer>, PhantomData<T>);

/// A store in a schema of its own; `None` if tests on PostgreSQL are skipped.
fn store() -> Option<(Store, DatabaseUrl)> {
    let Ok(cluster) = std::env::var("OWLBOX_TEST_POSTGRES") else {
        assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
        return None;
    };
    let schema = format!("store_{}", Uuid::now_v7().simple());
    let mut connection = connect(&cluster.parse().unwrap(), Use::Write).unwrap();
    connection.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
    let joint = if cluster.contains('?') { '&' } else { '?' };
    let url: DatabaseUrl = format!("{cluster}{joint}options=-csearch_path%3D{schema}").parse().unwrap();
    Some((Store::open(&url, &Options { pool_size: 4, ..Options::default() }).unwrap(), url))
}

/// Tests a store on each database.
fn on_each(test: impl Fn(&Store)) {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    test(&Store::open(&url, &Options::default()).unwrap());
    if let Some((store, _)) = store() {
        test(&store);
    }
}

fn submit<T: Send + 'static>(
    store: &Store,
    foreseen: ReadPlan,
    work: impl FnMut(&mut Transaction<'_>) -> Result<T, No> + Send + 'static,
) -> Answered<T> {
    let queue = match &store.database {
        Database::File { writer, .. } => &writer.queue,
        Database::Server(server) => server.grouping.as_ref().unwrap(),
    };
    Answered(queue.submit(Some(foreseen), erased(work)).unwrap(), PhantomData)
}

/// Keeps the thread busy until the answer is dropped, so that what is submitted meanwhile is taken at once.
fn busy(store: &Store) -> std::sync::mpsc::Sender<()> {
    let (release, released) = channel::<()>();
    let (begins, begun) = channel();
    drop(submit(store, ReadPlan::default(), move |_| {
        begins.send(()).unwrap();
        // An error says that it was dropped.
        let _ = released.recv();
        Ok(())
    }));
    begun.recv().unwrap();
    release
}

fn place(key: &str) -> ReceiptKey {
    ReceiptKey { account: AccountId(Uuid::nil()), key: key.to_owned() }
}

fn keep(transaction: &mut Transaction<'_>, key: &str) {
    let record = StoredReceipt { request_hash: Vec::new(), status: 200, stream: Uuid::nil(), version: 1 };
    transaction.keep_receipt(place(key), record, chrono::DateTime::UNIX_EPOCH.into());
}

fn done<T: 'static>(answered: Answered<T>) -> Result<T, No> {
    match answered.0.blocking_recv().unwrap() {
        UnitAnswer::Done(outcome) => typed(outcome),
        UnitAnswer::Alone(_) => panic!("given up"),
    }
}

/// The keys that are kept.
fn kept(store: &Store) -> Vec<String> {
    let keys = idempotency::table.select(idempotency::key).order(idempotency::key);
    store.read_blocking(|connection| Ok::<_, StoreError>(keys.load(connection)?)).unwrap()
}

/// In how many transactions or parts of one they were written, on PostgreSQL.
fn transactions(store: &Store) -> i64 {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let query = diesel::sql_query("SELECT count(DISTINCT xmin::text) FROM idempotency");
    let count: Count = store
        .read_blocking(|connection| match connection {
            AnyConnection::Sqlite(_) => panic!("this is PostgreSQL"),
            AnyConnection::Postgres(connection) => Ok::<_, StoreError>(query.get_result(connection)?),
        })
        .unwrap();
    count.count
}

#[test]
fn what_was_only_looked_at_is_looked_at_again_after_waiting_or_asking() {
    let Some((store, url)) = store() else { return };
    let [looked_at, waited_for] = [(); 2].map(|()| Uuid::now_v7());
    let mut elsewhere = connect(&url, Use::Write).unwrap();
    let streams = format!(
        "INSERT INTO stream (id, kind, version) VALUES ('{looked_at}', 'club', 1), ('{waited_for}', 'match', 1)"
    );
    elsewhere.batch_execute(&streams).unwrap();
    for asks in [true, false] {
        let release = busy(&store);
        let foreseen = ReadPlan { looked_at: vec![looked_at], ..ReadPlan::default() };
        let (reads, has_read) = channel();
        let (go_on, goes_on) = channel::<()>();
        let seen = submit(&store, foreseen, move |transaction| {
            let first = transaction.head(looked_at, "club")?.unwrap();
            reads.send(()).unwrap();
            goes_on.recv().unwrap();
            if asks {
                transaction.connection()?;
            } else {
                transaction.lock_head(waited_for, "match")?;
            }
            Ok(transaction.head(looked_at, "club")?.unwrap() - first)
        });
        drop(release);
        has_read.recv_timeout(Duration::from_secs(20)).unwrap();
        let grows = format!("UPDATE stream SET version = version + 1 WHERE id = '{looked_at}'");
        elsewhere.batch_execute(&grows).unwrap();
        go_on.send(()).unwrap();
        assert_eq!(done(seen).unwrap(), 1, "asks: {asks}");
    }
}

/// The outcome of a unit, alone if it has to be.
fn outcome<T: Send + 'static>(store: &Store, answered: Answered<T>) -> Result<T, No> {
    typed(match answered.0.blocking_recv().unwrap() {
        UnitAnswer::Done(outcome) => outcome,
        UnitAnswer::Alone(work) => store.write_erased_blocking(work),
    })
}

#[test]
fn a_unit_that_says_nothing_of_what_failed_keeps_nothing() {
    let Some((store, _)) = store() else { return };
    let release = busy(&store);
    let before = submit(&store, ReadPlan::default(), |transaction| {
        keep(transaction, "before");
        Ok(())
    });
    let silent = submit(&store, ReadPlan::default(), |transaction| {
        assert!(transaction.connection()?.batch_execute("SELECT 1 / 0").is_err());
        Ok(())
    });
    drop(release);
    outcome(&store, before).unwrap();
    assert!(matches!(outcome(&store, silent), Err(No::Failed(_))));
    assert_eq!(kept(&store), ["before"]);
}

#[test]
fn nobody_waits_for_long_for_a_lock_that_only_another_unit_needs() {
    let Some((store, url)) = store() else { return };
    let stream = Uuid::now_v7();
    let mut elsewhere = connect(&url, Use::Write).unwrap();
    let lock = format!(
        "INSERT INTO stream (id, kind, version) VALUES ('{stream}', 'chouette', 1);
         BEGIN; SELECT * FROM stream WHERE id = '{stream}' FOR UPDATE"
    );
    elsewhere.batch_execute(&lock).unwrap();
    let release = busy(&store);
    let foreseen = ReadPlan { locked: vec![(stream, "chouette")], ..ReadPlan::default() };
    let waits = submit(&store, foreseen, move |transaction| {
        assert_eq!(transaction.lock_head(stream, "chouette")?, Some(1));
        keep(transaction, "waits");
        Ok(())
    });
    let free = submit(&store, ReadPlan::default(), |transaction| {
        keep(transaction, "free");
        Ok(())
    });
    drop(release);
    let began = Instant::now();
    outcome(&store, free).unwrap();
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
    elsewhere.batch_execute("COMMIT").unwrap();
    outcome(&store, waits).unwrap();
    assert_eq!(kept(&store), ["free", "waits"]);
}

#[test]
fn a_transaction_whose_beginning_fails_is_over() {
    let Some((_store, url)) = store() else { return };
    let AnyConnection::Postgres(mut connection) = connect(&url, Use::Write).unwrap() else { panic!("{url}") };
    assert!(connection.begin("SELECT 1 / 0", async |_| Ok(())).is_err());
    connection.batch_execute("SELECT 1").expect("nothing is left of it");
    let asked = connection.begin("SELECT 1", async |asked| asked.batch_execute("SELECT 1 / 0").await);
    assert!(matches!(asked, Err(StoreError::Query(_))), "not that it has failed for another: {asked:?}");
    connection.batch_execute("SELECT 1").expect("nothing is left of that either");
    connection.begin("SELECT 1", async |_| Ok(())).unwrap();
    assert!(connection.begin("SELECT 1", async |_| Ok(())).is_err(), "there is one already");
    connection.commit("SELECT 1", None).unwrap().unwrap();
    assert!(connection.commit("SELECT 1", None).is_err(), "there is none");
}

/// Has all instances told that this stream has grown.
fn grown(transaction: &mut Transaction<'_>, stream: Uuid) -> Result<(), StoreError> {
    let AnyConnection::Postgres(connection) = transaction.connection()? else { return Ok(()) };
    notify::grown(connection, std::iter::once((stream, 1)));
    // What begins within the transaction takes nothing of that away.
    connection.transaction(|inner| Ok::<_, StoreError>(inner.batch_execute("SELECT 1")?))
}

#[test]
fn what_was_committed_is_told_and_nothing_else() {
    let Some((store, url)) = store() else { return };
    let [alone, refused, grouped] = [(); 3].map(|()| Uuid::now_v7());
    let (hears, heard) = channel();
    let listener = Store::open(&url, &Options { pool_size: 1, ..Options::default() }).unwrap();
    let _subscription = listener.subscribe(move |what| {
        let _ = hears.send(what);
    });
    let next = || heard.recv_timeout(Duration::from_secs(20)).unwrap();
    let told = || {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            assert!(Instant::now() < until, "nothing was told");
            if let Notification::Grown { stream, .. } = next() {
                break stream;
            }
        }
    };
    assert_eq!(next(), Notification::Unknown, "it listens");
    let no = store.write_blocking(move |transaction| {
        grown(transaction, refused)?;
        Err::<(), _>(No::Refused)
    });
    assert!(matches!(no, Err(No::Refused)));
    store.write_blocking(move |transaction| grown(transaction, alone)).unwrap();
    assert_eq!(told(), alone);
    let release = busy(&store);
    let no = submit(&store, ReadPlan::default(), move |transaction| {
        grown(transaction, refused)?;
        Err::<(), _>(No::Refused)
    });
    let answer = submit(&store, ReadPlan::default(), move |transaction| Ok(grown(transaction, grouped)?));
    drop(release);
    assert!(matches!(done(no), Err(No::Refused)));
    done(answer).unwrap();
    assert_eq!(told(), grouped, "and not what was refused in the same batch");
}

#[test]
fn what_waits_is_committed_together_and_a_refused_unit_leaves_the_rest_alone() {
    on_each(|store| {
        let release = busy(store);
        let plain = |key: &'static str| {
            submit(store, ReadPlan::default(), move |transaction| {
                keep(transaction, key);
                Ok(())
            })
        };
        let first = plain("a");
        let refused: Answered<()> = submit(store, ReadPlan::default(), |transaction| {
            keep(transaction, "b");
            Err(No::Refused)
        });
        // It has asked the database, and so has written what it and those before it had to write.
        let refused_later: Answered<()> = submit(store, ReadPlan::default(), |transaction| {
            keep(transaction, "c");
            transaction.connection()?;
            keep(transaction, "d");
            Err(No::Refused)
        });
        // What fails within the unit that asks costs that one alone.
        let failed: Answered<()> = submit(store, ReadPlan::default(), |transaction| {
            keep(transaction, "e");
            let failed = transaction.connection()?.batch_execute("SELECT nothing FROM nowhere");
            assert!(failed.is_err());
            Err(No::Refused)
        });
        let last = plain("f");
        drop(release);
        assert!(done(first).is_ok() && done(last).is_ok());
        for refused in [refused, refused_later, failed] {
            assert!(matches!(done(refused), Err(No::Refused)));
        }
        assert_eq!(kept(store), ["a", "f"]);
        let release = busy(store);
        let answers = ["g", "h", "i", "j"].map(plain);
        drop(release);
        answers.into_iter().for_each(|answer| done(answer).unwrap());
        assert_eq!(kept(store), ["a", "f", "g", "h", "i", "j"]);
        if !store.is_sole_writer() {
            assert!(transactions(store) <= 3, "the last four in one");
        }
    });
}

#[test]
fn a_receipt_of_the_same_batch_is_found() {
    on_each(|store| {
        let release = busy(store);
        let once = || {
            let foreseen = ReadPlan { receipt: Some(place("once")), ..ReadPlan::default() };
            submit(store, foreseen, |transaction| {
                let before = transaction.receipt(&place("once"))?;
                if before.is_none() {
                    keep(transaction, "once");
                }
                Ok(before.is_some())
            })
        };
        let answers = [once(), once(), once()];
        drop(release);
        assert_eq!(answers.map(|answer| done(answer).unwrap()), [false, true, true]);
        assert!(done(once()).unwrap(), "and after the commit");
    });
}

#[test]
fn a_receipt_is_found_whoever_has_asked_the_database_since() {
    on_each(|store| {
        let release = busy(store);
        let once = |key: &'static str| {
            let foreseen = ReadPlan { receipt: Some(place(key)), ..ReadPlan::default() };
            submit(store, foreseen, move |transaction| {
                let before = transaction.receipt(&place(key))?;
                if before.is_none() {
                    keep(transaction, key);
                }
                Ok(before.is_some())
            })
        };
        let asks = |key: &'static str, kept: bool| {
            submit(store, ReadPlan { receipt: Some(place(key)), ..ReadPlan::default() }, move |transaction| {
                keep(transaction, key);
                // Written now.
                transaction.connection()?;
                assert!(transaction.receipt(&place(key))?.is_some(), "by the unit itself it is found");
                if kept { Ok(()) } else { Err(No::Refused) }
            })
        };
        let before = once("before");
        let (own, refused) = (asks("own", true), asks("refused", false));
        let after = ["before", "own", "refused", "refused"].map(once);
        drop(release);
        assert!(!done(before).unwrap());
        done(own).unwrap();
        assert!(matches!(done(refused), Err(No::Refused)));
        assert_eq!(after.map(|answer| done(answer).unwrap()), [true, true, false, true]);
        assert_eq!(kept(store), ["before", "own", "refused"]);
    });
}

#[test]
fn a_batch_that_is_spoilt_is_run_again_one_by_one() {
    on_each(|store| {
        let release = busy(store);
        let answers = [("a", false), ("b", true), ("c", false)].map(|(key, fails)| {
            submit(store, ReadPlan::default(), move |transaction| {
                keep(transaction, key);
                if fails {
                    // Nobody parts this statement from what the others do.
                    transaction
                        .unflushed_connection()
                        .batch_execute("SELECT nothing FROM nowhere")
                        .map_err(StoreError::from)?;
                }
                Ok(())
            })
        });
        drop(release);
        let [a, b, c] = answers.map(|answer| outcome(store, answer));
        assert!(a.is_ok() && c.is_ok());
        assert!(matches!(b, Err(No::Failed(StoreError::Query(_)))), "{b:?}");
        assert_eq!(kept(store), ["a", "c"]);
    });
}

/// What cannot be written at the end of a batch is the fault of one unit: the others are kept.
#[test]
fn a_unit_that_is_more_than_the_books_hold_costs_the_rest_of_its_batch_nothing() {
    on_each(|store| {
        books::open(store);
        let release = busy(store);
        let told = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let post = |key: &'static str, version: i64, amount: i64| {
            let told = Arc::clone(&told);
            submit(store, ReadPlan::default(), move |transaction| {
                let told = Arc::clone(&told);
                transaction.after_commit(move || {
                    told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                });
                keep(transaction, key);
                transaction.post(vec![game(version, [2, 3], amount)], NaiveDate::default());
                Ok(())
            })
        };
        let answers = [post("a", 1, 4), post("b", 2, i64::MAX), post("c", 3, 2)];
        drop(release);
        let [a, b, c] = answers.map(|answer| outcome(store, answer));
        assert!(a.is_ok() && c.is_ok(), "{a:?} {c:?}");
        assert!(matches!(b, Err(No::Failed(StoreError::BeyondBooks(_)))), "{b:?}");
        assert_eq!(kept(store), ["a", "c"]);
        let standing = balance::table.select(balance::amount).order(balance::amount);
        let amounts: Vec<i64> =
            store.read_blocking(|connection| Ok::<_, StoreError>(standing.load(connection)?)).unwrap();
        assert_eq!(amounts, [-6, 6]);
        assert_eq!(told.load(std::sync::atomic::Ordering::Relaxed), 2, "once for each that is kept");
    });
}

/// SQLite does so where the disk or memory fails: nothing may be written outside of a transaction after that.
#[test]
fn a_batch_whose_transaction_sqlite_has_rolled_back_is_carried_out_again_and_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let store = Store::open(&url, &Options::default()).unwrap();
    let release = busy(&store);
    let plain = |key: &'static str| {
        submit(&store, ReadPlan::default(), move |transaction| {
            keep(transaction, key);
            Ok(())
        })
    };
    let first = plain("a");
    let mut fails = true;
    let failing: Answered<()> = submit(&store, ReadPlan::default(), move |transaction| {
        if std::mem::take(&mut fails) {
            transaction.unflushed_connection().batch_execute("ROLLBACK").map_err(StoreError::from)?;
        }
        keep(transaction, "b");
        Err(No::Refused)
    });
    let last = plain("c");
    drop(release);
    assert!(matches!(done(failing), Err(No::Refused)));
    assert!(done(first).is_ok() && done(last).is_ok());
    assert_eq!(kept(&store), ["a", "c"]);
}

#[test]
fn a_unit_that_does_not_say_what_it_asks_for_finds_and_leaves_all_of_its_batch() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let store = Store::open(&url, &Options::default()).unwrap();
    let Database::File { writer, .. } = &store.database else { panic!("this is a file") };
    let release = busy(&store);
    let found =
        |before: &'static [&'static str], key: &'static str, kept: bool, foreseen: Option<ReadPlan>| {
            let work = erased(move |transaction| {
                for one in before {
                    assert!(transaction.receipt(&place(one))?.is_some(), "{key} finds {one}");
                }
                keep(transaction, key);
                if kept { Ok(()) } else { Err(No::Refused) }
            });
            Answered::<()>(writer.queue.submit(foreseen, work).unwrap(), PhantomData)
        };
    let said = || Some(ReadPlan::default());
    let answers = [
        found(&[], "a", true, said()),
        found(&["a"], "b", true, None),
        found(&["a", "b"], "c", false, None),
        found(&["a", "b"], "d", true, said()),
        found(&["a", "b", "d"], "e", true, None),
    ];
    drop(release);
    let kept_or_refused = answers.map(|answer| match done(answer) {
        Ok(()) => true,
        Err(No::Refused) => false,
        Err(No::Failed(error)) => panic!("{error}"),
    });
    assert_eq!(kept_or_refused, [true, true, false, true, true]);
    assert_eq!(kept(&store), ["a", "b", "d", "e"]);
}

#[test]
fn whoever_reads_a_throwaway_database_that_could_not_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let store = Store::open(&url, &Options { throwaway: true, ..Options::default() }).unwrap();
    let plain = |key: &'static str| {
        done(submit(&store, ReadPlan::default(), move |transaction| {
            keep(transaction, key);
            Ok(())
        }))
    };
    plain("a").unwrap();
    assert_eq!(kept(&store), ["a"]);
    let posted = submit(&store, ReadPlan::default(), |transaction| {
        let games = vec![game(1, [2, 3], i64::MAX), game(2, [2, 3], 1)];
        transaction.post(games, NaiveDate::default());
        Ok(())
    });
    done(posted).unwrap();
    let read = store.read_blocking(|_| Ok::<_, StoreError>(()));
    assert!(matches!(read, Err(StoreError::Commit(_))), "{read:?}");
    assert!(plain("b").is_err());
}

#[test]
fn a_balance_is_written_once_for_all_games_of_a_batch_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let store = Store::open(&url, &Options::default()).unwrap();
    books::open(&store);
    let watched = "CREATE TABLE written (holder TEXT); \
        CREATE TRIGGER made AFTER INSERT ON balance BEGIN INSERT INTO written VALUES (new.holder); END; \
        CREATE TRIGGER moved AFTER UPDATE ON balance BEGIN INSERT INTO written VALUES (new.holder); END";
    let watching = store.write_blocking(move |transaction| {
        Ok::<_, StoreError>(transaction.connection()?.batch_execute(watched)?)
    });
    watching.unwrap();
    let release = busy(&store);
    let answers = [1, 2, 3].map(|version| {
        submit(&store, ReadPlan::default(), move |transaction| {
            transaction.post(vec![game(version, [2, 3], 4)], NaiveDate::default());
            Ok(())
        })
    });
    drop(release);
    answers.into_iter().for_each(|answer| done(answer).unwrap());
    let written = diesel::dsl::sql::<BigInt>("SELECT count(*) FROM written");
    let written: i64 =
        store.read_blocking(|connection| Ok::<_, StoreError>(written.get_result(connection)?)).unwrap();
    assert_eq!(written, 2, "one for each of the two who played");
}

#[test]
fn what_a_batch_posts_stands_in_the_order_of_its_units_whatever_their_days() {
    on_each(|store| {
        books::open(store);
        let release = busy(store);
        let today = NaiveDate::default();
        let answers = [(1, today.succ_opt().unwrap()), (2, today)].map(|(version, today)| {
            submit(store, ReadPlan::default(), move |transaction| {
                transaction.post(vec![game(version, [2, 3], 4)], today);
                Ok(())
            })
        });
        drop(release);
        answers.into_iter().for_each(|answer| outcome(store, answer).unwrap());
        let posted = book_chain::table
            .inner_join(ledger_transaction::table)
            .order(book_chain::number)
            .select(ledger_transaction::version);
        let posted: Vec<i64> =
            store.read_blocking(|connection| Ok::<_, StoreError>(posted.load(connection)?)).unwrap();
        assert_eq!(posted, [1, 2]);
    });
}
