//! Mail: what is written is handed to a thread that sends one after the other, so that no request waits for a
//! mail server.
//!
//! What waits is bounded, in all and for each club; it is lost if the service stops, and so are the letters
//! that are still refused after some tries. A person who needs one asks again. `lettre` writes the letters,
//! so that nothing of a name or an address becomes a header.

mod letters;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::{Address, SmtpTransport, Transport as _};
use secrecy::ExposeSecret as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::config;
use crate::problem::Problem;
use owlbox_base::code::Code;
use owlbox_desk::access::mail::MailAddress;

/// The most letters that wait, in all and for one club.
const MOST_WAITING: usize = 200;
const MOST_OF_CLUB: usize = 50;
/// How long to wait for each answer of the mail server.
const PATIENCE: Duration = Duration::from_secs(10);
/// After how long a letter is tried again that could not be sent, each time.
const AGAIN_AFTER: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(60), Duration::from_secs(600)];

/// What sends the mail of all clubs.
#[derive(Clone)]
pub(crate) struct Post {
    letters: Sender<Letter>,
    places: Arc<Semaphore>,
    from: Address,
}

/// The mail of one club.
pub struct Mail {
    post: Post,
    own: Arc<Semaphore>,
}

/// A place for a letter among those that wait.
pub(crate) struct Place {
    _in_all: OwnedSemaphorePermit,
    _of_club: OwnedSemaphorePermit,
}

struct Letter {
    message: Message,
    /// Of the receiver's address, for the log.
    domain: String,
    tried: usize,
    due: Instant,
    _place: Place,
}

impl Post {
    /// Begins to send as the configuration says, if it does.
    ///
    /// # Errors
    /// The thread cannot be started, or the URL is none.
    pub(crate) fn start(mail: Option<&config::Mail>) -> std::io::Result<Option<Self>> {
        let Some(mail) = mail else { return Ok(None) };
        let transport = SmtpTransport::from_url(mail.url.expose_secret()).map_err(std::io::Error::other)?;
        let transport = transport.timeout(Some(PATIENCE)).build();
        let (letters, written) = channel();
        std::thread::Builder::new().name("mail".to_owned()).spawn(move || deliver(&transport, &written))?;
        let places = Arc::new(Semaphore::new(MOST_WAITING));
        Ok(Some(Self { letters, places, from: mail.from.clone() }))
    }

    /// That of a club.
    pub(crate) fn of_club(&self) -> Mail {
        Mail { post: self.clone(), own: Arc::new(Semaphore::new(MOST_OF_CLUB)) }
    }
}

impl Mail {
    /// A place for a letter, to be taken before anything is done for it.
    ///
    /// # Errors
    /// `mail_busy`: too many wait.
    pub(crate) fn place(&self) -> Result<Place, Problem> {
        let of_club = Arc::clone(&self.own).try_acquire_owned();
        let in_all = Arc::clone(&self.post.places).try_acquire_owned();
        match (in_all, of_club) {
            (Ok(in_all), Ok(of_club)) => Ok(Place { _in_all: in_all, _of_club: of_club }),
            _ => Err(Problem::new(Code::MailBusy, "too many mails wait to be sent").after(60)),
        }
    }

    /// Hands over a letter from the club of this name.
    ///
    /// # Errors
    /// `internal_error`: the library refuses what it has read before, or the thread that sends has ended.
    pub(crate) fn send(
        &self,
        place: Place,
        club: &str,
        to: &MailAddress,
        subject: &str,
        text: String,
    ) -> Result<(), Problem> {
        let from = &self.post.from;
        let written = Message::builder()
            .from(Mailbox::new(Some(club.to_owned()), from.clone()))
            .to(Mailbox::new(None, to.address().clone()))
            .subject(subject)
            .date_now()
            .message_id(Some(format!("<{}@{}>", Uuid::now_v7(), from.domain())))
            .header(ContentType::TEXT_PLAIN)
            .body(text);
        let mut message = written.map_err(|error| {
            tracing::error!(%error, "a mail cannot be written");
            Problem::new(Code::InternalError, "the mail cannot be written")
        })?;
        // Nobody's machine answers that its owner is on holiday.
        let header = HeaderName::new_from_ascii_str("Auto-Submitted");
        message.headers_mut().insert_raw(HeaderValue::new(header, "auto-generated".to_owned()));
        let domain = to.domain().to_owned();
        let letter = Letter { message, domain, tried: 0, due: Instant::now(), _place: place };
        self.post.letters.send(letter).map_err(|_| {
            tracing::error!("the thread that sends mail has ended");
            Problem::new(Code::InternalError, "no mail is sent any more")
        })
    }
}

/// Sends what is written until nobody can write any more. New letters come first; those that wait to be tried
/// again have places of their own, so they are not many.
fn deliver(transport: &SmtpTransport, written: &Receiver<Letter>) {
    let mut again: Vec<Letter> = Vec::new();
    loop {
        let first = again.iter().enumerate().min_by_key(|(_, letter)| letter.due);
        let received = match first.map(|(at, letter)| (at, letter.due)) {
            None => written.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some((at, due)) => match written.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => Ok(again.swap_remove(at)),
                received => received,
            },
        };
        match received {
            Ok(letter) => again.extend(tried(transport, letter)),
            Err(_) => return,
        }
    }
}

/// Tries to send a letter. It is returned if it is to be tried again.
fn tried(transport: &SmtpTransport, mut letter: Letter) -> Option<Letter> {
    let error = transport.send(&letter.message).err()?;
    // What a server answers may quote the address.
    let why = match error.status() {
        Some(code) => code.to_string(),
        None if error.is_response() || error.is_client() => "its answer is not SMTP".to_owned(),
        None => error.to_string(),
    };
    let wait = AGAIN_AFTER.get(letter.tried).filter(|_| !error.is_permanent());
    match wait {
        Some(wait) => {
            tracing::info!(why, domain = letter.domain, "a mail was not sent: it is tried again");
            letter.due = Instant::now() + *wait;
            letter.tried += 1;
            Some(letter)
        }
        None => {
            tracing::warn!(why, domain = letter.domain, "a mail was not sent, and is given up");
            None
        }
    }
}
