//! Several writers share one database file that is locked at first, and no write is lost:
//!
//! ```sh
//! cargo run --example sqlite_busy
//! ```
//!
//! The database has a `busy_timeout` of its own, which is off here. It cannot help everywhere:
//! where waiting would be a deadlock `SQLITE_BUSY` comes at once all the same, and only doing the
//! statement or the transaction again gets further.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use retry::retry;
use rusqlite::{Connection, ErrorCode};

const WRITERS: u32 = 4;
const ROWS: u32 = 25;

/// Inserts one row. The statement is a transaction of its own: if it fails it has changed
/// nothing, so doing it again cannot write the row twice.
#[retry(
    name = "insert",
    stop = within(30s),
    wait = exponential(1ms).cap(20ms).full_jitter(),
    on = is_busy,
)]
fn insert(db: &Connection, writer: u32, row: u32, attempts: &AtomicU32) -> rusqlite::Result<()> {
    attempts.fetch_add(1, Ordering::Relaxed);
    db.execute("INSERT INTO entry (writer, number) VALUES (?1, ?2)", [writer, row])?;
    Ok(())
}

/// Ends a transaction. It waits for those who are reading at this moment, and stays open if it
/// fails because of them.
#[retry(name = "commit", stop = within(30s), wait = fixed(1ms), on = is_busy)]
fn commit(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("COMMIT")
}

/// Another connection holds a lock. Anything else, such as a row that breaks a constraint, fails
/// at once.
fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::ZERO)?;
    Ok(db)
}

fn write(path: &Path, writer: u32, attempts: &AtomicU32) -> rusqlite::Result<()> {
    let db = open(path)?;
    (0..ROWS).try_for_each(|row| insert(&db, writer, row, attempts))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("entries.db");
    let db = open(&path)?;
    // No unique key, which would hide a row that is written twice.
    db.execute_batch("CREATE TABLE entry (writer INTEGER, number INTEGER)")?;

    let attempts = AtomicU32::new(0);
    db.execute_batch("BEGIN IMMEDIATE")?;
    println!("the database is locked");
    thread::scope(|scope| {
        let (path, attempts) = (&path, &attempts);
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| scope.spawn(move || write(path, writer, attempts))).collect();

        // One attempt more than there are writers: somebody is on a second one. A writer that
        // has finished before the lock is released has failed.
        while attempts.load(Ordering::Relaxed) <= WRITERS
            && !writers.iter().any(thread::ScopedJoinHandle::is_finished)
        {
            thread::sleep(Duration::from_millis(1));
        }
        commit(&db)?;
        println!("the database is free again");

        for writer in writers {
            writer.join().map_err(|_| "a writer panicked")??;
        }
        Ok::<_, Box<dyn Error>>(())
    })?;

    let count = |query| db.query_row(query, [], |row| row.get::<_, u32>(0));
    let rows = count("SELECT count(*) FROM entry")?;
    let distinct = count("SELECT count(*) FROM (SELECT DISTINCT writer, number FROM entry)")?;
    println!("{WRITERS} writers, {} retries", attempts.into_inner() - WRITERS * ROWS);
    println!("{rows} rows of {}, {distinct} of them distinct", WRITERS * ROWS);

    // What it took: every retried function counts.
    println!("{}", retry::sites());
    Ok(())
}
