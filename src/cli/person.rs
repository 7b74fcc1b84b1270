//! `owlbox person`: all data about a person, and their erasure, from the club's own machine.

use serde_json::json;

use super::args::{PersonCommand, PersonErase, PersonExport, PersonFormat};
use super::books::{BooksError, player};
use super::progress::{Progress, while_opening};
use super::serve;
use super::terminal::on_one_line;
use owlbox_books::club::players::PlayerName;
use owlbox_desk::{Actor, Desk, Request};
use owlbox_http::config::Config;
use owlbox_locale::Locale;
use owlbox_site::person_document;
use owlbox_store::Store;

/// Carries out a command about a person, as the console, and returns what it prints. On SQLite the service
/// must not be running, because one process at a time may open the database.
///
/// # Errors
/// [`BooksError`].
pub fn person(config: &Config, command: &PersonCommand) -> Result<String, BooksError> {
    let store = while_opening(|| Store::open_existing(&config.database.url, &serve::options(config)))?;
    let _progress = Progress::of("looking through the club");
    let desk = serve::desk(config, store.clone())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            PersonCommand::Export(asked) => export(&desk, asked).await,
            PersonCommand::Erase(asked) => {
                let said = erase(&desk, asked).await?;
                if asked.yes {
                    store.rewrite_file().await?;
                }
                Ok(said)
            }
        }
    })
}

async fn export(desk: &Desk, asked: &PersonExport) -> Result<String, BooksError> {
    let player = player(desk, &asked.player).await?;
    let data = desk.personal_data(&Actor::CONSOLE, player).await?;
    match asked.format {
        PersonFormat::Json => Ok(json!(data).to_string()),
        PersonFormat::Html => {
            let settings = desk.settings().await?.unwrap_or_default();
            let t = Locale::new(settings.language, settings.time_zone.0);
            let page = person_document(t, settings.name.as_str(), &data);
            Ok(page.map_err(std::io::Error::other)?)
        }
    }
}

/// Without `--yes` only says what would go.
async fn erase(desk: &Desk, asked: &PersonErase) -> Result<String, BooksError> {
    let player = player(desk, &asked.player).await?;
    let also: Vec<PlayerName> = asked.also.clone();
    let preview = desk.preview_erasure(&Actor::CONSOLE, player, also.clone()).await?;
    if asked.yes {
        let request = Request { expected: Some(preview.version), ..Request::by(Actor::CONSOLE) };
        desk.erase(request, player, also).await?;
    }
    let mut lines = vec![on_one_line(&format!("{} -> {}", preview.name, preview.pseudonym))];
    lines.extend(preview.login.map(|login| format!("login {login} ends")));
    lines.extend(
        preview
            .texts
            .into_iter()
            .map(|said| on_one_line(&format!("{}: {} -> {}", said.of, said.text, said.after))),
    );
    lines.extend(
        preview
            .near
            .into_iter()
            .map(|miss| on_one_line(&format!("{}: {} stays: it may mean them", miss.of, miss.text))),
    );
    lines.push(match (asked.yes, preview.refused) {
        (true, _) => "erased".to_owned(),
        (false, None) => "nothing is erased yet: add --yes to erase permanently".to_owned(),
        (false, Some(rule)) => format!("it would be refused: {}: {}", rule.code, rule.detail),
    });
    Ok(lines.join("\n"))
}
