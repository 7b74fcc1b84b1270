//! The letters that the service writes. Their links begin with the configured address of the club, never with
//! what a request calls it.

use std::net::IpAddr;

use secrecy::ExposeSecret as _;

use super::{Mail, Place};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_base::code::Code;
use owlbox_base::text::one_line;
use owlbox_base::values::{MinorUnits, PlayerId};
use owlbox_desk::access::links::{NewLink, Purpose};
use owlbox_desk::access::mail::MailAddress;
use owlbox_desk::books::treasury::OwnDues;
use owlbox_desk::{Actor, Refused};
use owlbox_locale::{Language, Locale};

impl Service {
    /// The club's mail.
    ///
    /// # Errors
    /// `mail_off`: the service sends none.
    pub fn mail(&self) -> Result<&Mail, Problem> {
        let mail = self.mail.as_ref();
        mail.ok_or_else(|| {
            Problem::new(Code::MailOff, "no mail is set up: the configuration has no mail.url")
        })
    }

    /// Sends a link that an admin has just made to the address of its account. False if there is no mail or
    /// no address, or it cannot be sent now: the link works, and the admin can hand it over.
    pub async fn mail_link(&self, link: &NewLink) -> bool {
        let (Some(mail), Some(to)) = (&self.mail, &link.mail) else { return false };
        let sent = async {
            let place = mail.place()?;
            self.count_mail().await?;
            self.send_link(mail, place, to, link, None).await
        };
        match sent.await {
            Ok(()) => true,
            Err(problem) => {
                tracing::warn!(code = %problem.code, "a link that an admin made was not sent");
                false
            }
        }
    }

    /// Counts a letter that is no answer to a forgotten password. Its place is taken before.
    async fn count_mail(&self) -> Result<(), Problem> {
        let share = "the club has sent its share of mails for today";
        match self.desk.count_mail().await {
            Ok(()) => Ok(()),
            Err(Refused::TooMany { seconds }) => Err(Problem::new(Code::MailBusy, share).after(seconds)),
            Err(refused) => Err(refused.into()),
        }
    }

    /// Sends a link to who has forgotten the password of this login, or of the login with this address.
    /// Whether there is one is found out after the answer, which is always the same.
    ///
    /// # Errors
    /// `mail_off`, `mail_busy`, or `too_many_attempts` from this client.
    pub async fn mail_forgotten(
        &self,
        named: String,
        client: IpAddr,
        language: Option<Language>,
    ) -> Result<(), Problem> {
        let mail = self.mail()?;
        let named = one_line(&named, 254).ok_or_else(|| {
            Problem::new(Code::InvalidBody, "a login or a mail address is one line").about("login")
        })?;
        // Those who ask too often take no place from the others.
        self.desk.count_forgotten(client).await?;
        let mut place = Some(mail.place()?);
        let service = self.clone();
        tokio::spawn(async move {
            let sent = async {
                let mail = service.mail()?;
                for link in service.desk.forgotten_password(&named).await? {
                    let place = place.take().map_or_else(|| mail.place(), Ok)?;
                    if let Some(to) = &link.mail {
                        service.send_link(mail, place, to, &link, language).await?;
                    }
                }
                Ok::<_, Problem>(())
            };
            if let Err(problem) = sent.await {
                tracing::warn!(code = %problem.code, "no link for a forgotten password was sent");
            }
        });
        Ok(())
    }

    /// Reminds a player of what they owe: with each payment, and how it is made.
    ///
    /// # Errors
    /// `mail_off`, `mail_busy`, those of [`reminder`](owlbox_desk::Desk::reminder), or `too_many_attempts`:
    /// they have been reminded today.
    pub async fn mail_reminder(&self, actor: &Actor, player: PlayerId) -> Result<(), Problem> {
        let (to, owed) = self.desk.reminder(actor, player).await?;
        let mail = self.mail()?;
        let place = mail.place()?;
        self.desk.count_reminder(player).await?;
        let sent = self.send_reminder(mail, place, player, &to, &owed).await;
        if sent.is_err() {
            self.desk.uncount_reminder(player).await?;
        }
        sent
    }

    async fn send_reminder(
        &self,
        mail: &Mail,
        place: Place,
        player: PlayerId,
        to: &MailAddress,
        owed: &OwnDues,
    ) -> Result<(), Problem> {
        self.count_mail().await?;
        let settings = self.desk.settings().await?.unwrap_or_default();
        let t = Locale::new(settings.language, settings.time_zone.0);
        let club = settings.name.to_string();
        let mut lines = String::new();
        for due in &owed.dues {
            let sum = |amount: i64| t.how_much(MinorUnits(amount), due.currency);
            lines.push_str(&format!("{}\n", t.with("due-you-owe", "amount", sum(-due.balance))));
            for payment in due.payments.iter().filter(|payment| payment.payer == player.into()) {
                let name = |payee: PlayerId| owed.names.get(&payee).unwrap_or(&club);
                let (payee, amount) = (payment.payee.player().map_or(&club, name), sum(payment.amount));
                let line = t.fill("mail-reminder-payment", &[("payee", payee), ("amount", &amount)]);
                lines.push_str(&format!("* {line}\n"));
                if let Some(creditor) = owed.creditors.get(&payment.payee) {
                    let (iban, books) = (creditor.iban.printed(), t.get("due-remittance"));
                    lines.push_str(&format!("  IBAN {iban} – {}, {books}\n", owed.name));
                }
            }
        }
        let url = format!("{}/ledger/{player}", self.base());
        let hello = t.with("mail-hello-name", "name", &owed.name);
        let body = t.fill("mail-reminder", &[("club", &club), ("lines", &lines), ("url", &url)]);
        let subject = t.with("mail-reminder-subject", "club", &club);
        mail.send(place, &club, to, &subject, format!("{hello}\n\n{body}\n"))
    }

    /// The beginning of every link.
    fn base(&self) -> &str {
        self.config.http.public_url.as_ref().map_or("", |url| url.as_str())
    }

    async fn send_link(
        &self,
        mail: &Mail,
        place: Place,
        to: &MailAddress,
        link: &NewLink,
        language: Option<Language>,
    ) -> Result<(), Problem> {
        let settings = self.desk.settings().await?.unwrap_or_default();
        // Of somebody else's language nothing is known but the club's.
        let t = Locale::new(language.unwrap_or(settings.language), settings.time_zone.0);
        let secret = link.secret.expose_secret();
        let view = self.desk.link_view(secret).await?;
        let (club, url) = (settings.name.to_string(), format!("{}/claim/{secret}", self.base()));
        let (login, until) = (view.login.unwrap_or_default(), t.date_time(&view.expires_at));
        let (subject, text) = match link.purpose {
            Purpose::Invite => ("mail-invite-subject", "mail-invite"),
            Purpose::Reset => ("mail-reset-subject", "mail-reset"),
        };
        let name = view.name;
        let hello = name.map_or_else(|| t.get("mail-hello"), |name| t.with("mail-hello-name", "name", name));
        let body = t.fill(text, &[("club", &club), ("login", &login), ("url", &url), ("until", &until)]);
        mail.send(place, &club, to, &t.with(subject, "club", &club), format!("{hello}\n\n{body}\n"))
    }
}
