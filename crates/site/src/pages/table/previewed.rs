//! What an act would do now, in words: for an act that was tapped before others acted.

use std::sync::Arc;

use super::context::TableContext;
use super::log::{History, lines};
use owlbox_chouette::Chouette;
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_desk::commands::subject::{Preview, StreamPreview};

impl TableContext<'_> {
    /// What the log would say of the act, and what would be next at the table. `names` has everybody whom
    /// either names.
    #[must_use]
    pub fn preview_in_words(&self, preview: &Preview<Chouette>) -> String {
        let StreamPreview { before, after, .. } = &preview.here;
        let mut screen =
            TableScreen { stream: Arc::clone(&after.stream), legal: Vec::new(), ..self.screen.clone() };
        screen.acts.push(after.act.clone());
        let there = TableContext { screen: &screen, ..*self };
        let mut log = lines(&there, &History::new(&there));
        log.retain(|line| line.version > before.version);
        let sentences = log.into_iter().rev().flat_map(|line| std::iter::once(line.what).chain(line.then));
        let mut said: Vec<String> = sentences.collect();
        said.push(there.now());
        said.join(". ")
    }
}
