//! `convokit`: a corpus folder for `ConvoKit`, with votes and judgements as overlays that can be loaded on top.

use std::collections::{BTreeSet, HashSet};
use std::io;

use serde::Serialize;
use twox_hash::XxHash3_64;

use super::cells::VoteCell;
use super::export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
    in_part,
};
use super::left_out::{LeftOut, TurnPart};
use super::place::DialogPlace;
use crate::dialog::{Answer, Breakdown, Judgement, Turn};
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "convokit",
    writes: "a ConvoKit corpus, with votes and judgements as overlays",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Folder(start),
};

const UTTERANCES: &str = "utterances.jsonl";
const CONVERSATIONS: &str = "conversations.json";
const VOTES: &str = "info.votes.jsonl";
/// Judgements of turns and their parts, by utterance.
const JUDGEMENTS: &str = "info.judgements.jsonl";
/// Judgements of whole dialogs, by conversation: an overlay belongs to one kind of objects.
const VERDICTS: &str = "info.conversation_judgements.jsonl";

/// Parts of turns that the corpus does not hold.
const NOT_HELD: [TurnPart; 6] = [
    TurnPart::Segments,
    TurnPart::Calls,
    TurnPart::Acts,
    TurnPart::Intents,
    TurnPart::State,
    TurnPart::Fields,
];

#[derive(Serialize)]
struct Utterance<'a> {
    id: String,
    conversation_id: &'a str,
    text: &'a str,
    speaker: &'a str,
    meta: Meta<'a>,
    #[serde(rename = "reply-to")]
    reply_to: Option<String>,
    /// The order of the turns: corpora hold no times, and `ConvoKit` sorts by this.
    timestamp: usize,
    vectors: [&'static str; 0],
}

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(flatten)]
    place: DialogPlace<'a>,
    turn: usize,
    role: &'a str,
    gold: Option<&'static str>,
}

#[derive(Serialize)]
struct Conversation<'a> {
    meta: DialogPlace<'a>,
    vectors: [&'static str; 0],
}

#[derive(Serialize)]
struct Overlay<T> {
    id: String,
    value: Vec<T>,
}

impl<T: Serialize> Overlay<T> {
    /// Writes a line of the file called `name`, unless it would be empty.
    fn write(&self, name: &str, files: &mut dyn ExportFiles) -> io::Result<()> {
        if self.value.is_empty() {
            return Ok(());
        }
        let out = files.file(name)?;
        output::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

#[derive(Serialize)]
struct JudgementValue<'a> {
    annotator: &'a str,
    run: Option<&'a str>,
    scheme: &'a str,
    question: &'a str,
    value: Option<&'a Answer>,
    /// The turn that an answer about the conversation points to.
    at: Option<usize>,
    note: &'a str,
    tags: &'a [String],
    /// The part of the utterance.
    span: Option<[u32; 2]>,
    call: Option<usize>,
    when: &'a str,
    seconds: Option<u32>,
}

impl<'a> From<&'a Judgement> for JudgementValue<'a> {
    fn from(judgement: &'a Judgement) -> Self {
        Self {
            annotator: &judgement.by,
            run: judgement.run.as_deref(),
            scheme: &judgement.scheme,
            question: &judgement.question,
            value: judgement.value.as_ref(),
            at: judgement.at,
            note: &judgement.note,
            tags: &judgement.tags,
            span: judgement.place.span,
            call: judgement.place.call,
            when: &judgement.when,
            seconds: judgement.seconds,
        }
    }
}

/// One corpus for each part.
struct Corpora {
    parts: Vec<(String, Corpus)>,
}

#[derive(Default)]
struct Corpus {
    speakers: BTreeSet<String>,
    /// Hashes of the ids of its conversations.
    ids: HashSet<u64>,
}

fn start(
    parts: &[&str],
    _: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
    for part in parts {
        files.file(&in_part(part, UTTERANCES))?;
        for overlay in [VOTES, JUDGEMENTS, VERDICTS] {
            files.file(&in_part(part, overlay))?;
        }
        write!(files.file(&in_part(part, CONVERSATIONS))?, "{{")?;
    }
    let parts = parts.iter().map(|part| ((*part).to_owned(), Corpus::default()));
    Ok(Box::new(Corpora { parts: parts.collect() }))
}

impl Exporter for Corpora {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        let mut parts = self.parts.iter_mut();
        let Some((_, corpus)) = parts.find(|(part, _)| part == dialog.part) else {
            return Ok(());
        };
        left_out.dialog_fields(dialog.dialog);
        if dialog.dialog.turns.is_empty() {
            left_out.one(["dialog without turns", "dialogs without turns"]);
            return Ok(());
        }
        let is_first = corpus.ids.is_empty();
        let id = corpus.id(dialog);
        let out = files.file(&in_part(dialog.part, CONVERSATIONS))?;
        writeln!(out, "{}", if is_first { "" } else { "," })?;
        output::to_writer(out, &id)?;
        write!(out, ": ")?;
        let conversation = Conversation { meta: DialogPlace::of(dialog), vectors: [] };
        output::to_writer(out, &conversation)?;
        for (number, turn) in dialog.dialog.turns.iter().enumerate() {
            left_out.parts(turn, &NOT_HELD);
            if !corpus.speakers.contains(turn.speaker.name.as_str()) {
                corpus.speakers.insert(turn.speaker.name.to_string());
            }
            let out = files.file(&in_part(dialog.part, UTTERANCES))?;
            output::to_writer(out, &utterance(dialog, &id, number, turn))?;
            writeln!(out)?;
            let votes = turn.votes.iter().map(VoteCell::of);
            let overlay = Overlay { id: utterance_id(&id, number), value: votes.collect() };
            overlay.write(&in_part(dialog.part, VOTES), files)?;
            let overlay =
                Overlay { id: utterance_id(&id, number), value: judgements(dialog, Some(number)) };
            overlay.write(&in_part(dialog.part, JUDGEMENTS), files)?;
        }
        left_out.outdated(dialog.dialog);
        let overlay = Overlay { value: judgements(dialog, None), id };
        overlay.write(&in_part(dialog.part, VERDICTS), files)
    }

    fn finish(&mut self, files: &mut dyn ExportFiles) -> io::Result<()> {
        for (part, corpus) in &self.parts {
            let end = if corpus.ids.is_empty() { "}" } else { "\n}" };
            writeln!(files.file(&in_part(part, CONVERSATIONS))?, "{end}")?;
            let out = files.file(&in_part(part, "speakers.json"))?;
            write!(out, "{{")?;
            for (number, speaker) in corpus.speakers.iter().enumerate() {
                writeln!(out, "{}", if number == 0 { "" } else { "," })?;
                output::to_writer(out, speaker)?;
                write!(out, ": {{\"meta\": {{}}, \"vectors\": []}}")?;
            }
            let end = if corpus.speakers.is_empty() { "}" } else { "\n}" };
            writeln!(out, "{end}")?;
            writeln!(files.file(&in_part(part, "corpus.json"))?, "{{}}")?;
            let text = "<class 'str'>";
            let number = "<class 'int'>";
            let place = format!(
                "\"file\": [\"{text}\"], \"dialog\": [\"{number}\"], \"dialog_id\": [\"{text}\"]"
            );
            writeln!(
                files.file(&in_part(part, "index.json"))?,
                "{{\"utterances-index\": {{{place}, \"turn\": [\"{number}\"], \"role\": [\"{text}\"], \
                \"gold\": [\"{text}\"]}}, \"speakers-index\": {{}}, \"conversations-index\": {{{place}}}, \
                \"overall-index\": {{}}, \"version\": 1, \"vectors\": []}}"
            )?;
        }
        Ok(())
    }
}

impl Corpus {
    /// Returns the id of a conversation: that of the dialog, unless it has none or another dialog has the same.
    fn id(&mut self, dialog: &ExportedDialog<'_>) -> String {
        let place = || format!("{}#{}", dialog.file, dialog.position);
        let id = dialog.id().map_or_else(place, str::to_owned);
        if self.ids.insert(XxHash3_64::oneshot(id.as_bytes())) {
            return id;
        }
        let id = place();
        self.ids.insert(XxHash3_64::oneshot(id.as_bytes()));
        id
    }
}

/// Returns the judgements of a turn and its parts, or those of the whole dialog.
fn judgements<'a>(dialog: &ExportedDialog<'a>, turn: Option<usize>) -> Vec<JudgementValue<'a>> {
    let all = dialog.dialog.judgements.iter();
    let here = all.filter(|judgement| judgement.place.turn == turn);
    here.map(JudgementValue::from).collect()
}

fn utterance_id(conversation: &str, turn: usize) -> String {
    format!("{conversation}.{turn}")
}

fn utterance<'a>(
    dialog: &ExportedDialog<'a>,
    id: &'a str,
    number: usize,
    turn: &'a Turn,
) -> Utterance<'a> {
    let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
    Utterance {
        id: utterance_id(id, number),
        conversation_id: id,
        text: &turn.text,
        speaker: &turn.speaker.name,
        meta: Meta {
            place: DialogPlace::of(dialog),
            turn: number,
            role: turn.speaker.role.name(),
            gold: gold.map(Breakdown::letter),
        },
        reply_to: number.checked_sub(1).map(|before| utterance_id(id, before)),
        timestamp: number,
        vectors: [],
    }
}
