//! The menu of bundled questions: what is picked is added to those that are asked, in a file beside the corpus.

use std::sync::Arc;

use crate::app::core::{App, Digits, Effect, Picker};
use crate::app::feature::judging::{judge, queue};
use crate::app::pane::{Ink, Line};
use crate::app::state::SchemeFrom;
use crate::judging::{BREAKDOWN, Kept, Scheme};

/// Asks which questions to answer.
pub fn ask(app: &mut App) {
    if app.judging.scheme_from == SchemeFrom::Name {
        return app.complain("the questions come from --scheme; start without it to add others");
    }
    let find = |_: &App, _: &str| {
        let all = Scheme::with_bundled(None).into_iter();
        all.filter(|scheme| scheme.name != BREAKDOWN).collect()
    };
    let line = |app: &App, scheme: &Scheme| {
        let tick = if is_asked(app, scheme) { "✓ " } else { "  " };
        let head = Line::of(Ink::Key, tick).with(Ink::Plain, &format!("{:16}", scheme.name));
        head.with(Ink::Dim, &scheme.text)
    };
    let take = |app: &mut App, picked: Option<Scheme>, _: &str| {
        if let Some(scheme) = picked {
            add(app, &scheme);
        }
    };
    let title = "Choose questions to add to judging.toml beside the corpus";
    app.ask(Picker::new("ask ", title, find, line, take).digits(Digits::PickOnly), "");
}

/// True if all questions of a bundled scheme are asked.
fn is_asked(app: &App, bundled: &Scheme) -> bool {
    let asked = &app.judging.scheme;
    let mut questions = bundled.questions.iter();
    asked.kept == Kept::Judgements
        && questions.all(|question| asked.question(&question.name).is_some())
}

fn add(app: &mut App, scheme: &Scheme) {
    if is_asked(app, scheme) {
        let name = &scheme.name;
        return app.say(format!(
            "the questions of {name} are already asked; to stop, delete them from judging.toml and restart"
        ));
    }
    app.request(Effect::AddQuestions { name: scheme.name.clone() });
}

/// Asks the questions of a scheme that was written to the file at `path`.
pub fn on_questions(app: &mut App, path: &str, scheme: Scheme) {
    app.judging.scheme_from = SchemeFrom::Corpus;
    let names: Vec<_> = scheme.questions.iter().map(|question| question.name.clone()).collect();
    app.judging.scheme = Arc::new(scheme);
    app.judging.on = true;
    // The queue is asked for: it leads to its first turn.
    app.judging.queue = Some(Vec::new());
    judge::sync_judge(app);
    app.panes.details.forget();
    queue::queue(app, app.judging.wanted.clone());
    app.say(format!("{path} asks: {}", names.join(", ")));
}
