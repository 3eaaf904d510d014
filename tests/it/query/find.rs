//! `turnwise find` from the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ran, project, run, run_in, scratch};

/// The questions of the manual that rules answer.
pub const ABOUT_PROBLEMS: [&str; 2] =
    ["turns>15 dialog(problem:)", "problem:span-edge-punctuation"];

fn find(query: &str, more: &[&str]) -> Ran {
    let demo = project("assets/demo");
    let mut arguments = vec!["find", query, demo.to_str().unwrap()];
    arguments.extend(more);
    run(&arguments)
}

fn records(ran: &Ran) -> Vec<Value> {
    let lines = ran.out.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn turns_are_printed_with_carets_under_the_hits() {
    let folder = scratch();
    let demo = project("assets/demo/taskmaster-3.json");
    fs::copy(demo, folder.path().join("corpus.json")).unwrap();
    let ran = run_in(folder.path(), &["find", "speaker:user tonight", "corpus.json"], "");
    let manual = include_str!("../../../assets/manual/queries.md");
    let (_, shown) = manual.split_once("'speaker:user tonight' corpus.json\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    assert!(ran.out.starts_with(shown), "{}", ran.out);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn hits_are_records_for_programs() {
    let ran = find("arg:num.tickets=two", &["--format", "jsonl"]);
    let [record] = &records(&ran)[..] else {
        panic!("{}", ran.out);
    };
    assert_eq!(record["dialog"], 0);
    assert_eq!(record["dialog_id"], "dlg-demo-tm3-01");
    assert_eq!((&record["turn"], &record["call"]), (&json!(12), &json!(0)));
    assert_eq!(record["text"], "please do, before she backs out");
    assert_eq!(record.get("segment"), None);
    // Offsets are code points.
    let ran = find("label:*location speaker:user id:dlg-demo-tm2-01", &["--format", "jsonl"]);
    let first = &records(&ran)[0];
    assert_eq!(
        (&first["segment"], &first["start"], &first["end"]),
        (&json!(0), &json!(7), &json!(15))
    );
}

/// Members inside values are found beside values that other JSON readers refuse or change, and as they are
/// written.
#[test]
fn members_are_found_beside_numbers_surrogates_and_nesting_that_others_refuse() {
    let folder = scratch();
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let odd = ["1e400", r#""\ud83d""#, &deep, "-0", r#"{"\udc00": [1e-400]}"#];
    let mut texts = Vec::new();
    for odd in odd {
        let members = format!(r#"{{"x": {odd}, "city": "Rome", "y": [{{"z": {odd}}}]}}"#);
        let call = members.replace('\\', r"\\").replace('"', r#"\""#);
        texts.push((
            members.clone(),
            format!(r#"{{"id": "a", "meta": {members}, "messages": [{{"role": "user", "content": "Hi"}}]}}"#),
            "field:meta.city=Rome",
        ));
        texts.push((
            call.clone(),
            format!(
                r#"{{"id": "a", "messages": [{{"role": "assistant", "tool_calls": [{{"id": "c", "type": "function", "function": {{"name": "f", "arguments": "{call}"}}}}]}}, {{"role": "tool", "tool_call_id": "c", "content": "{call}"}}]}}"#
            ),
            "arg:city=Rome response:city=Rome",
        ));
    }
    let count = |text: &str, query: &str| {
        fs::write(folder.path().join("a.jsonl"), text).unwrap();
        let ran = run_in(folder.path(), &["find", query, "a.jsonl", "--format", "count"], "");
        ran.out.trim().parse::<usize>().unwrap()
    };
    for (odd, text, query) in &texts {
        let odd = &odd[..odd.len().min(60)];
        assert_eq!(count(text, query), 1, "{odd}: {query}");
        assert_eq!(count(text, &query.replace("Rome", "Oslo")), 0, "{odd}");
        let all = count(text, "words>=0");
        assert_eq!(all, count(text, &format!("not ({query})")) + 1, "{odd}");
    }
    let written = r#"{"id": "a", "meta": {"city": "Rome", "city": "Oslo", "n": 1.50, "i": 12345678901234567890123, "m": -0, "e": 1E+2},
        "messages": [{"role": "user", "content": "Hi"}]}"#;
    let written = written.replace('\n', "");
    for (query, wanted) in [
        ("field:meta.city=Rome", 1),
        ("field:meta.city=Oslo", 1),
        ("field:meta.city=Bonn", 0),
        ("field:meta.n=1.50", 1),
        ("field:meta.n=1.5", 1),
        ("field:meta.n=15e-1", 1),
        ("field:meta.n!=1.5", 0),
        ("field:meta.n=1.51", 0),
        ("field:meta.i=12345678901234567890124", 0),
        ("field:meta.m=0", 1),
        ("field:meta.e=100", 1),
        ("field:meta.n>1.4 field:meta.n<1.6", 1),
        ("field:meta.i=12345678901234567890123", 1),
        ("field:meta.m=-0", 1),
        ("field:meta.e=1E+2", 1),
        ("not field:meta.city=Rome", 0),
    ] {
        assert_eq!(count(&written, query), wanted, "{query}");
    }
}

/// A description may give speakers names that the corpus does not contain.
#[test]
fn speakers_are_found_by_the_names_of_a_description() {
    let folder = scratch();
    fs::create_dir(folder.path().join("formats")).unwrap();
    let description = "name = \"tour\"\nhas = [\"log[*].say\"]\n[turn]\nat = \"log[*]\"\n\
        alternate = [\"visitor\", \"guide\"]\nuser = [\"visitor\"]\nsystem = [\"guide\"]\ntext = \"say\"\n";
    fs::write(folder.path().join("formats/tour.toml"), description).unwrap();
    let dialog = json!([{"log": [{"say": "Is it open?"}, {"say": "Yes."}, {"say": "Good."}]}]);
    fs::write(folder.path().join("data.json"), dialog.to_string()).unwrap();
    for (query, count) in [
        ("speaker:visitor", "2\n"),
        ("speaker:guide", "1\n"),
        ("speaker:guide yes", "1\n"),
        ("speaker:system", "1\n"),
        ("not speaker:visitor", "1\n"),
        ("not (not speaker:guide)", "1\n"),
        ("speaker:visitor then speaker:guide", "1\n"),
    ] {
        let ran = run_in(folder.path(), &["find", query, "data.json", "--format", "count"], "");
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (count, ""), "{query}");
    }
}

#[test]
fn ids_and_counts() {
    let ran = find("api:book_tickets", &["--format", "ids"]);
    assert_eq!(ran.out, "dlg-demo-tm3-01\ndlg-demo-tm3-02\ndlg-demo-tm3-03\n");
    let ran = find("api:book_tickets", &["--format", "count"]);
    assert_eq!((ran.out.as_str(), ran.code), ("3\n", 0));
    let chat =
        r#"{"messages":[{"role":"user","content":"tide"},{"role":"assistant","content":"no"}]}"#;
    let ran = run_in(Path::new("."), &["find", "tide", "-", "--format", "ids"], chat);
    let left_out = "turnwise: left out: 1 dialog without an id; --format jsonl has their files and positions\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", left_out));
    let ran = find("no such words anywhere", &["--format", "count"]);
    assert_eq!((ran.out.as_str(), ran.code), ("0\n", 1));
    // A query that begins with a minus sign.
    let ran = find("-speaker:user turn=0 family:taskmaster-3", &["--format", "count"]);
    assert_eq!((ran.out.as_str(), ran.code), ("0\n", 1));
}

#[test]
fn a_sample_is_a_part_of_all_and_the_same_for_a_seed() {
    let all = find("speaker:user", &["--format", "jsonl"]);
    let all: Vec<_> = all.out.lines().collect();
    let draw = |seed: &str| {
        find("speaker:user", &["--format", "jsonl", "--sample", "10", "--seed", seed]).out
    };
    let sample = draw("1");
    assert_eq!(sample, draw("1"));
    assert_ne!(sample, draw("2"));
    assert_eq!(sample.lines().count(), 10);
    // In the order of the files.
    let places: Vec<_> =
        sample.lines().map(|line| all.iter().position(|one| *one == line).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
    let ids = find("speaker:user", &["--format", "ids", "--sample", "4"]);
    let distinct: BTreeSet<_> = ids.out.lines().collect();
    assert_eq!(distinct.len(), 4);
    let whole = find("api:book_tickets", &["--format", "ids", "--sample", "100"]);
    assert_eq!(whole.out.lines().count(), 3);
}

/// However a file is named, the sample is the same; without it, turns of equal dialogs are drawn one by one.
#[test]
fn a_sample_does_not_depend_on_the_name_of_the_file() {
    let folder = scratch();
    let text = fs::read_to_string(project("assets/demo/taskmaster-3.json")).unwrap();
    fs::write(folder.path().join("s.json"), &text).unwrap();
    let draw = |path: &str| {
        let more = ["--format", "jsonl", "--sample", "5", "--seed", "3"];
        let mut arguments = vec!["find", "turn>=0", path];
        arguments.extend(more);
        let ran = run_in(folder.path(), &arguments, &text);
        let turns = records(&ran).into_iter();
        turns.map(|record| (record["dialog"].as_u64(), record["turn"].as_u64())).collect::<Vec<_>>()
    };
    let usual = draw("s.json");
    assert_eq!(usual.len(), 5);
    let absolute = folder.path().join("s.json");
    for path in ["./s.json", ".", "-", absolute.to_str().unwrap()] {
        assert_eq!(draw(path), usual, "{path}");
    }
    let again: Vec<Value> = serde_json::from_str(&text).unwrap();
    fs::write(folder.path().join("s.json"), json!(vec![&again[0]; 40]).to_string()).unwrap();
    let dialogs: BTreeSet<_> = draw("s.json").into_iter().map(|(dialog, _)| dialog).collect();
    assert!(dialogs.len() > 2, "{dialogs:?}");
}

#[test]
fn standard_input_is_searched() {
    let text = fs::read_to_string(project("assets/demo/messages.jsonl")).unwrap();
    let folder = scratch();
    let ran = run_in(folder.path(), &["find", "nana", "-", "--format", "ids"], &text);
    assert_eq!((ran.out.as_str(), ran.code), ("chat-demo-01\n", 0));
    let ran = run_in(folder.path(), &["find", "nana", "-"], "");
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "", 1));
}

#[test]
fn an_error_points_at_its_place() {
    let ran = find("label:a lable:b", &[]);
    let expected = "turnwise: unknown condition \"lable\"; did you mean \"label\"? (to find the text, put it in quotes)\n    label:a lable:b\n            ^^^^^\n";
    assert_eq!((ran.err.as_str(), ran.code), (expected, 2));
    let ran = find("(label:a", &[]);
    assert!(ran.err.contains("not closed\n    (label:a\n    ^\n"), "{}", ran.err);
}

#[test]
fn a_file_that_cannot_be_read_is_reported() {
    let folder = scratch();
    fs::write(folder.path().join("broken.json"), "[{").unwrap();
    let ran = run_in(folder.path(), &["find", "a", "."], "");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("broken.json:1:"), "{}", ran.err);
}

/// The turns with problems are those that `lint` reports.
#[test]
fn problems_are_those_that_lint_finds() {
    let demo = project("assets/demo");
    let ran = run(&["lint", demo.to_str().unwrap(), "--format", "json"]);
    let problems: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let place = |record: &Value| {
        let turn = record["turn"].as_u64().unwrap_or_default();
        (record["file"].to_string(), record["dialog"].to_string(), turn)
    };
    let punctuation = problems.iter().filter(|p| p["rule"] == "span-edge-punctuation");
    let expected: BTreeSet<_> = punctuation.map(place).collect();
    assert!(!expected.is_empty());
    let found = find(ABOUT_PROBLEMS[1], &["--format", "jsonl"]);
    let found: BTreeSet<_> = records(&found).iter().map(place).collect();
    assert_eq!(found, expected);
    // The other one is about dialogs.
    let long = find("turns>15", &["--format", "jsonl"]);
    let long: BTreeSet<_> = records(&long).iter().map(place).collect();
    let serious = problems.iter().filter(|p| p["severity"] != "info" && p["dialog"].is_u64());
    let dialogs: BTreeSet<_> =
        serious.map(|p| (p["file"].to_string(), p["dialog"].to_string(), 0)).collect();
    let expected: BTreeSet<_> = long.intersection(&dialogs).cloned().collect();
    assert!(!expected.is_empty());
    let found = find(ABOUT_PROBLEMS[0], &["--format", "jsonl"]);
    let found: BTreeSet<_> = records(&found).iter().map(place).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_value_that_no_dialog_has_is_reported() {
    let err = |query: &str| find(query, &["--format", "count"]).err;
    assert_eq!(
        err("speaker:user label:date.flying then api:book*"),
        "turnwise: nothing in these files has label:date.flying\n"
    );
    assert_eq!(
        err("api:book_tickets arg:num.tickets=seventy"),
        "turnwise: nothing in these files has arg:num.tickets=seventy\n"
    );
    // Both exist, but not in one turn.
    assert_eq!(err("label:date.showing api:book_tickets turn=0"), "");
    let alone = "turnwise: nothing in these files has label:date.flying\n";
    assert_eq!(err("label:date.flying"), alone);
    // A word has no name.
    assert_eq!(err("zeppelin"), "");
}

fn counts(folder: &std::path::Path, file: &str, wanted: &[(&str, usize)]) {
    for (query, count) in wanted {
        let ran = run_in(folder, &["find", query, file, "--format", "count"], "");
        assert_eq!(ran.out.trim(), count.to_string(), "{query}: {}", ran.err);
    }
}

/// Runs of an agent, as JSON: half of them with reward 1, and other numbers in members with "reward" in their names.
fn runs() -> Value {
    let run = |number: usize| {
        let reward = if number.is_multiple_of(2) { 1.0 } else { 0.0 };
        json!({"task_id": number, "reward": reward, "info": {"reward_info": {"reward": 0.5, "outputs": 7, "r_actions": 1}},
            "traj": [
                {"role": "user", "content": "Hi", "score": "2.0"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function":
                    {"name": "f", "arguments": "{\"date\": 5, \"due_date\": 9, \"n\": [1, 2.50]}"}}]},
                {"role": "tool", "tool_call_id": "c", "content": if number < 3 { "Error: no such seat" } else { "{\"seats\": [\"Zo\\u00eb 12\"]}" }},
                {"role": "assistant", "content": "Error handling is done."},
            ], "trial": 0})
    };
    (0..10).map(run).collect()
}

#[test]
fn a_field_means_the_member_called_so_and_numbers_are_numbers() {
    let folder = scratch();
    fs::write(folder.path().join("runs.json"), runs().to_string()).unwrap();
    let wanted = [
        ("field:reward=1", 5),
        ("field:reward=1.0", 5),
        ("field:reward=1e0", 5),
        ("field:reward>=1", 5),
        ("field:reward<0.5", 5),
        ("field:reward=0", 5),
        ("field:reward!=1", 5),
        ("not field:reward=1", 5),
        ("field:reward", 10),
        ("field:rewar?>=1", 5),
        // The end of a path is meant before a part.
        ("field:r_actions=1", 10),
        ("field:actions=1", 10),
        ("field:reward_info.reward=0.5", 10),
        ("field:info.reward_info.reward>0.4", 10),
        ("field:reward_info.reward=1", 0),
        // A member of a turn is found in its turn; a text that looks like a number is one.
        ("field:score=2", 10),
        ("field:reward=1 speaker:user", 5),
        ("arg:date>7", 0),
        ("arg:date=5.0", 10),
        ("arg:due_date>7", 10),
        ("arg:due>7", 10),
        ("arg:n=2.5", 10),
        ("arg:n!=1", 10),
    ];
    counts(folder.path(), "runs.json", &wanted);
    let err = |query: &str| {
        let arguments = ["find", query, "runs.json", "--format", "count"];
        run_in(folder.path(), &arguments, "").err
    };
    assert_eq!(
        err("field:reward>=1"),
        "turnwise: field:reward means `reward`; not 4 members under `info.reward_info`\n"
    );
    assert_eq!(err("arg:date=5"), "turnwise: arg:date means `date`; not `due_date`\n");
    assert_eq!(err("arg:du=9"), "turnwise: arg:du means `due_date`\n");
    assert_eq!(err("field:rewar?>=1"), "");
    assert_eq!(err("field:task_id>1"), "");
}

#[test]
fn a_text_is_found_wherever_it_can_be_read() {
    let folder = scratch();
    fs::write(folder.path().join("runs.json"), runs().to_string()).unwrap();
    let wanted = [
        ("Error", 13),
        ("in:answer Error", 3),
        ("in:utterance error", 10),
        ("in:argument due_date", 10),
        ("\"zoë 12\"", 7),
        ("/^Zoë \\d+$/", 7),
        ("response:Error", 3),
        ("response:\"no such\"", 3),
        ("response:*seat", 3),
        ("response:seats", 7),
        ("response:Error=1", 0),
        ("in:instructions outputs", 10),
        ("in:comment outputs", 0),
        ("in:answer", 10),
        ("in:answer not Error", 7),
    ];
    counts(folder.path(), "runs.json", &wanted);
    let ran =
        run_in(folder.path(), &["find", "in:answer seat", "runs.json", "--format", "jsonl"], "");
    let record = &records(&ran)[0];
    assert_eq!((&record["turn"], &record["call"]), (&json!(1), &json!(0)));
    assert_eq!(record["in"], "answer");
    assert_eq!(record["excerpt"], "→ Error: no such seat");
    let ran = run_in(folder.path(), &["find", "in:answer seat", "runs.json"], "");
    let shown = format!("in answer  → Error: no such seat\n{:>47}\n", "^^^^");
    assert!(ran.out.contains(&shown), "{}", ran.out);
}

/// The rewards of real runs, as another reader counts them.
#[test]
fn rewards_of_real_runs_are_counted_as_they_are() {
    let Some(files) = crate::support::files::neighbours("rewards") else {
        return;
    };
    let runs = files.iter().find(|path| path.to_string_lossy().contains("tau-bench"));
    let runs = runs.unwrap();
    let all: Vec<Value> = serde_json::from_str(&fs::read_to_string(runs).unwrap()).unwrap();
    let count = |is: fn(f64) -> bool| {
        let rewards = all.iter().map(|run| run["reward"].as_f64().unwrap());
        rewards.filter(|reward| is(*reward)).count()
    };
    let errors = all.iter().flat_map(|run| run["traj"].as_array().unwrap());
    let errors = errors.filter(|message| message["role"] == "tool");
    let errors = errors.filter(|message| message["content"].as_str().unwrap().contains("Error"));
    let wanted = [
        ("field:reward=1", count(|reward| reward > 0.99)),
        ("field:reward=1.0", count(|reward| reward > 0.99)),
        ("field:reward>=1", count(|reward| reward >= 1.0)),
        ("field:reward<0.5", count(|reward| reward < 0.5)),
        ("field:reward=0", count(|reward| reward < 0.01)),
        ("field:rewar?>=1", count(|reward| reward >= 1.0)),
        ("in:answer Error", errors.count()),
    ];
    assert!(wanted.iter().all(|(_, count)| *count > 0));
    let folder = runs.parent().unwrap();
    counts(folder, runs.file_name().unwrap().to_str().unwrap(), &wanted);
}

/// All commands that take queries take the names of saved ones; the same words in quotes are a text.
#[test]
fn a_saved_query_is_found_by_its_name() {
    let folder = scratch();
    let demo = project("assets/demo/taskmaster-3.json");
    fs::copy(demo, folder.path().join("corpus.json")).unwrap();
    let saved = "[queries]\n\"two tickets\" = \"arg:num.tickets=two\"\n\"any\" = \"problem:\"\n";
    fs::write(folder.path().join("turnwise.toml"), saved).unwrap();
    let count = |query: &str| {
        let ran = run_in(folder.path(), &["find", query, "corpus.json", "--format", "count"], "");
        (ran.out.trim().to_owned(), ran.err)
    };
    let (plain, quiet) = count("arg:num.tickets=two");
    assert_eq!((plain.as_str(), quiet.as_str()), ("1", ""));
    let (named, said) = count("two tickets");
    assert_eq!(named, plain);
    assert!(said.contains("two tickets is the saved query arg:num.tickets=two"), "{said}");
    // Only the whole name: other words, other capitals and words in quotes are texts.
    for text in ["\"two tickets\"", "Two tickets", "tickets"] {
        let (_, said) = count(text);
        assert!(!said.contains("saved query"), "{text}: {said}");
    }
    // A query about problems runs the rules.
    assert_eq!(count("any").0, count("problem:").0);
    // A file that cannot be read may save the name: the words are not searched for as a text.
    let path = folder.path().join("turnwise.toml");
    fs::write(&path, saved.replace("[queries]", "[queries")).unwrap();
    let (none, why) = count("two tickets");
    assert_eq!(none, "");
    assert!(why.contains("turnwise.toml:1:9: unclosed table"), "{why}");
    assert_eq!(count("arg:num.tickets=two").0, plain);
    assert_ne!(count("\"tickets\"").0, "");
    fs::write(&path, saved).unwrap();
    for command in [
        vec!["lint", "corpus.json", "--query", "two tickets"],
        vec!["fix", "corpus.json", "--diff", "--query", "two tickets"],
        vec!["export", "chat", "corpus.json", "-o", "chats.jsonl", "--query", "two tickets"],
    ] {
        let ran = run_in(folder.path(), &command, "");
        assert!(ran.err.contains("the saved query"), "{command:?}: {}", ran.err);
    }
}

/// The values, their hits and the hits without a value, in the order of `--count-by … --format jsonl`.
fn value_counts(ran: &Ran) -> Vec<(Option<String>, u64)> {
    let value = |record: &Value| record["value"].as_str().map(str::to_owned);
    let all = records(ran).into_iter();
    all.map(|record| (value(&record), record["hits"].as_u64().unwrap())).collect()
}

#[test]
fn values_of_hits_are_counted_as_the_hits_have_them() {
    for query in ["api:*", "speaker:user", "label:date", "two", "turns>3"] {
        let hits = records(&find(query, &["--format", "jsonl"]));
        assert!(!hits.is_empty(), "{query}");
        for (field, member) in [("speaker", "speaker"), ("id", "dialog_id"), ("file", "file")] {
            let mut expected = std::collections::BTreeMap::<_, u64>::new();
            for hit in &hits {
                *expected.entry(hit[member].as_str().unwrap()).or_default() += 1;
            }
            let mut expected: Vec<_> =
                expected.into_iter().map(|(value, hits)| (Some(value.to_owned()), hits)).collect();
            expected.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
            let ran = find(query, &["--count-by", field, "--format", "jsonl"]);
            assert_eq!(value_counts(&ran), expected, "{query} by {field}");
        }
    }
}

/// Three turns of calls: two calls in one turn, a list as a value, and a call without the argument.
const CALLS: &str = r#"[{"id": "a", "tier": "gold", "messages": [
    {"role": "user", "content": "Two films, please"},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": \"Dune\", \"movie_year\": 1984}"}},
        {"id": "2", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": \"Alien, 1979\"}"}}]},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "3", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": [\"Dune\", \"Brazil\", \"Dune\"]}"}}]},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "4", "type": "function", "function": {"name": "book", "arguments": "{\"seats\": 2}"}},
        {"id": "5", "type": "function", "function": {"name": "show", "arguments": "{\"movie\": \"Solaris\"}"}}]}]}]"#;

#[test]
fn each_value_of_a_hit_counts_once_and_hits_without_one_are_counted() {
    let folder = scratch();
    fs::write(folder.path().join("corpus.json"), CALLS).unwrap();
    fs::write(folder.path().join("turnwise.toml"), "[queries]\nbookings = \"api:book\"\n").unwrap();
    let count = |query: &str, more: &[&str]| {
        let all = [&["find", query, "corpus.json", "--count-by"], more].concat();
        run_in(folder.path(), &all, "")
    };
    // The call that was found has no movie, although another call of the turn has.
    let table = "arg:movie    hits\nDune            2\nAlien, 1979     1\nBrazil          1\n(no value)      1\nall hits        4\n";
    for query in ["api:book", "bookings"] {
        let ran = count(query, &["arg:movie"]);
        assert_eq!((ran.code, ran.out.as_str()), (0, table), "{}", ran.err);
    }
    let limited = count("api:book", &["arg:movie", "--limit", "1"]).out;
    assert!(limited.contains("\n(2 more values not shown)\n"), "{limited}");
    assert!(!limited.contains("Brazil"), "{limited}");
    assert_eq!(
        count("api:book", &["arg:movie", "--format", "csv"]).out,
        "kind,value,hits\nvalue,Dune,2\nvalue,\"Alien, 1979\",1\nvalue,Brazil,1\nnone,,1\ntotal,,4\n"
    );
    let ran = count("api:book", &["arg:movie", "--format", "json", "--limit", "1"]);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap(),
        json!({"field": "arg:movie", "hits": 4, "different": 3, "without": 1,
            "values": [{"value": "Dune", "hits": 2}]})
    );
    let of = |query: &str, field: &str| value_counts(&count(query, &[field, "--format", "jsonl"]));
    let is = |value: &str, hits| (Some(value.to_owned()), hits);
    assert_eq!(of("api:*", "api"), [is("book", 4), is("show", 1)]);
    // A member of the dialog is one of each of its hits.
    assert_eq!(of("api:*", "field:tier"), [is("gold", 5)]);
    assert_eq!(of("speaker:user", "arg:movie"), [(None, 1)]);
    // Nothing found is an empty table.
    let none = count("api:pay", &["api"]);
    assert_eq!((none.code, none.out.as_str()), (1, "api       hits\nall hits     0\n"));
}

#[test]
fn counts_that_cannot_be_made_are_refused() {
    let fields = "(expected arg:, response:, slot:, state:, field:, question: with a name, or one of label, api, speaker, act, intent, service, annotator, majority, gold, tag, by, id, file, family)";
    let colour = format!("unknown field \"colour\"; {fields}");
    let lable = format!("unknown field \"lable\"; did you mean \"label\"? {fields}");
    let args = format!("unknown field \"args\"; did you mean \"arg\"? {fields}");
    for (more, said) in [
        (&["--count-by", "colour"][..], colour.as_str()),
        (&["--count-by", "lable"], &lable),
        (&["--count-by", "args:x"], &args),
        (
            &["--count-by", "arg:x=1"],
            "values are counted by a name alone, as in arg:NAME; leave out the comparison",
        ),
        (&["--count-by", "arg:x!=$m"], "leave out the comparison"),
        (&["--count-by", "arg:"], "type a name behind arg:, as in arg:NAME"),
        (&["--count-by", "state"], "type a name behind state:, as in state:NAME"),
        (&["--count-by", "label:date"], "label takes no name; label alone counts them all"),
        (&["--count-by", "api", "--format", "ids"], "leave out --format ids"),
        (&["--count-by", "api", "--sample", "3"], "cannot be used with"),
        (&["--format", "csv"], "need --count-by"),
        (&["--limit", "3"], "--count-by"),
    ] {
        let ran = find("api:*", more);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{more:?}");
        assert!(ran.err.contains(said), "{more:?}: {}", ran.err);
    }
}

/// Requests and calls that agree, differ, or differ only in how they are written.
const SHOWTIMES: &str = r#"[{"id": "a", "messages": [
    {"role": "user", "content": "Is Dune or Alien on?"},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "find_showtimes", "arguments": "{\"movie\": \"Dune\", \"seats\": 2}"}},
        {"id": "2", "type": "function", "function": {"name": "find_showtimes", "arguments": "{\"movie\": \"Alien\"}"}}]},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "3", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": \"dune\", \"seats\": \"2.0\"}"}},
        {"id": "4", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": \"Brazil\", \"seats\": 3}"}}]}]},
  {"id": "b", "messages": [
    {"role": "user", "content": "Is $m on?"},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "find_showtimes", "arguments": "{\"movie\": [\"Solaris\", \"Stalker\"], \"code\": \"$m\"}"}}]},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "2", "type": "function", "function": {"name": "book", "arguments": "{\"movie\": \"Stalker\", \"movie_year\": {\"n\": 1979}}"}}]}]}]"#;

#[test]
fn variables_compare_values_of_one_turn_with_those_of_another() {
    let folder = scratch();
    fs::write(folder.path().join("corpus.json"), SHOWTIMES).unwrap();
    let find = |query: &str, more: &[&str]| {
        run_in(folder.path(), &[&["find", query, "corpus.json"], more].concat(), "")
    };
    let hits = |query: &str| {
        let ran = find(query, &["--format", "jsonl"]);
        let hits = records(&ran).into_iter().map(|hit| {
            let place = (hit["turn"].as_u64().unwrap(), hit["call"].as_u64().unwrap());
            (hit["dialog_id"].to_string(), place, hit["variables"].to_string())
        });
        // A name that is compared twice is explained once.
        let meant = "turnwise: arg:movie means `movie`; not `movie_year`, `movie_year.n`\n";
        let is_clear = ran.err.is_empty() || ran.err == meant;
        assert!(is_clear, "{query}: {}", ran.err);
        hits.collect::<Vec<_>>()
    };
    let hit = |id: &str, place, values: Value| (format!("{id:?}"), place, values.to_string());
    // Another movie than one that was asked for: each hit has the values that it differs from.
    assert_eq!(
        hits("api:find_showtimes arg:movie=$m then api:book arg:movie!=$m"),
        [
            hit("a", (2, 0), json!({"m": ["Alien"]})),
            hit("a", (2, 1), json!({"m": ["Dune", "Alien"]})),
            hit("b", (2, 0), json!({"m": ["Solaris"]})),
        ]
    );
    // Case does not count, numbers are compared as numbers, elements of lists are values.
    assert_eq!(
        hits("api:find_showtimes arg:movie=$m then api:book arg:movie=$m"),
        [hit("a", (2, 0), json!({"m": ["Dune"]})), hit("b", (2, 0), json!({"m": ["Stalker"]})),]
    );
    assert_eq!(hits("arg:seats=$n then arg:seats=$n"), [hit("a", (2, 0), json!({"n": ["2"]}))]);
    assert_eq!(hits("arg:seats=$n then arg:seats>$n"), [hit("a", (2, 1), json!({"n": ["2"]}))]);
    // Two variables at once, and a movie that was not asked for at all.
    assert_eq!(
        hits("arg:movie=$m arg:seats=$n then arg:seats=$n arg:movie!=$m"),
        [
            // Of the calls of the turn, this one has the number.
            hit("a", (2, 0), json!({"m": ["Dune", "Alien"], "n": ["2"]}))
        ]
    );
    assert_eq!(
        hits("not (api:find_showtimes arg:movie=$m) before api:book arg:movie=$m"),
        [hit("a", (2, 1), json!({"m": ["Brazil"]}))]
    );
    // A dollar sign as it is.
    for literal in ["arg:code=\"$m\"", "arg:code=\\$m"] {
        assert_eq!(hits(literal).len(), 1, "{literal}");
    }
    // Where a query is wrong.
    let ran = find("arg:seats=2 then arg:movie!=$m", &[]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "turnwise: nothing gives $m a value: it needs a condition such as arg:movie=$m; to find a text, put it in quotes\n    arg:seats=2 then arg:movie!=$m\n                                ^^\n"
        )
    );
    // The values are under the turn.
    let ran = find("arg:movie=$m then arg:movie!=$m id:a", &[]);
    assert!(ran.out.contains("with  $m=Dune, Alien\n"), "{}", ran.out);
    // Nothing found: a name that no file has, without the variable.
    let ran = find("arg:movie=$m then arg:film=$m", &[]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "turnwise: nothing in these files has arg:film\n")
    );
}

/// Values that differ in a space at the end do not look the same.
#[test]
fn spaces_at_the_ends_of_counted_values_are_seen() {
    let folder = scratch();
    let call = |value: &str| format!(r#"{{"name": "seek", "args": {{"item": "{value}"}}}}"#);
    let calls = [call("tea"), call("tea ")].join(", ");
    let text = format!(
        r#"[{{"conversation_id": "c", "instructions": "i", "utterances": [
        {{"index": 0, "speaker": "user", "text": "hi", "segments": [], "apis": [{calls}]}}]}}]"#
    );
    fs::write(folder.path().join("a.json"), text).unwrap();
    let ran = run_in(folder.path(), &["find", "api:seek", "a.json", "--count-by", "arg:item"], "");
    assert!(ran.out.contains("\"tea \""), "{ran:?}");
}

#[test]
fn texts_of_segments_are_values_too() {
    let text = r#"[{"conversation_id": "c", "instruction_id": "i", "utterances": [
        {"index": 0, "speaker": "USER", "text": "Today, please", "segments": [
            {"start_index": 0, "end_index": 5, "text": "Today", "annotations": [{"name": "date.day"}]}]},
        {"index": 1, "speaker": "USER", "text": "I mean today", "segments": [
            {"start_index": 7, "end_index": 12, "text": "today", "annotations": [{"name": "date.day"}]}]},
        {"index": 2, "speaker": "USER", "text": "or next week", "segments": [
            {"start_index": 3, "end_index": 12, "text": "next week", "annotations": [{"name": "date.day"}]}]}]}]"#;
    let folder = scratch();
    fs::write(folder.path().join("a.json"), text).unwrap();
    let wanted = [
        ("label:date", 3),
        ("label:date=today", 2),
        ("label:date=\"next week\"", 1),
        ("label:date!=today", 1),
        ("label:date=week", 0),
        ("label:date=$d then label:date=$d", 1),
        ("label:date=$d then label:date!=$d", 1),
        ("label:date=$d next label:date!=$d", 1),
        ("label:time=$d then label:date!=$d", 0),
    ];
    counts(folder.path(), "a.json", &wanted);
    let ran = run_in(
        folder.path(),
        &["find", "label:date=$d then label:date!=$d", "a.json", "--format", "jsonl"],
        "",
    );
    let record = &records(&ran)[0];
    assert_eq!((&record["segment"], &record["start"]), (&json!(0), &json!(3)));
    assert_eq!(record["variables"], json!({"d": ["Today"]}));
}

/// Two variables with two hundred values each that fit in no way.
#[test]
fn a_search_for_values_that_ends_early_is_reported() {
    let folder = scratch();
    let call = |number: usize, name: &str, values: std::ops::Range<usize>| {
        let values: Vec<_> = values.map(|value| json!(value)).collect();
        let arguments = json!({ name: values }).to_string();
        json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": number.to_string(), "type": "function", "function": {"name": "f", "arguments": arguments}}]})
    };
    let dialog = |id: &str, most: usize| {
        json!({"id": id, "messages": [
            {"role": "user", "content": "Hi"},
            call(1, "x", 0..most),
            call(2, "y", 0..most),
            call(3, "z", 1000..1001),
            call(4, "w", 1000..1001)]})
    };
    let corpus = json!([dialog("a", 200), dialog("b", 200), dialog("c", 9)]);
    fs::write(folder.path().join("a.json"), corpus.to_string()).unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    let query = "arg:x=$x then arg:y=$y then ((arg:z<$x then arg:w=$y) or (arg:z<$y then arg:w=$x) or arg:z>$y) then arg:w>$x";
    let ran = run(&["find", query, "a.json", "--format", "ids"]);
    let said =
        "variables may have too many values to try all in this dialog; more turns may match\n";
    assert_eq!(ran.out, "a\nb\nc\n");
    assert_eq!(
        ran.err,
        format!("turnwise: a: {said}turnwise: the same holds for 1 other dialog\n")
    );
    // With one value each, it would be found.
    let simple = "arg:x=$x then arg:y=$x then arg:z>$x";
    let ran = run(&["find", simple, "a.json", "--format", "count"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("3\n", ""));
}

#[test]
fn saved_queries_are_listed() {
    let folder = scratch();
    let demo = project("assets/demo/taskmaster-3.json");
    fs::copy(demo, folder.path().join("corpus.json")).unwrap();
    let saved = "[queries]\n\"two tickets\" = \"arg:num.tickets=two\"\nany = \"problem:\"\n";
    fs::write(folder.path().join("turnwise.toml"), saved).unwrap();
    let list = |more: &[&str]| run_in(folder.path(), &[&["find", "--list"], more].concat(), "");
    let table = "name         query\nany          problem:\ntwo tickets  arg:num.tickets=two\n";
    for paths in [&[][..], &["corpus.json"], &["corpus.json", "."]] {
        let ran = list(paths);
        assert_eq!((ran.code, ran.out.as_str()), (0, table), "{paths:?}: {}", ran.err);
    }
    assert_eq!(
        records(&list(&["--format", "jsonl"])),
        [
            json!({"name": "any", "query": "problem:"}),
            json!({"name": "two tickets", "query": "arg:num.tickets=two"})
        ]
    );
    assert_eq!(list(&["--format", "ids"]).out, "any\ntwo tickets\n");
    let refused = list(&["--format", "csv"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--list prints text, jsonl or ids"), "{}", refused.err);
    fs::write(folder.path().join("turnwise.toml"), "[queries").unwrap();
    let ran = list(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("turnwise.toml:1:9: unclosed table"), "{}", ran.err);
}

/// The counts of values in hits, the most frequent first; None for hits without any.
type Counted = Vec<(Option<String>, u64)>;

fn counted(of_hits: Vec<Vec<String>>) -> Counted {
    let mut counts = std::collections::BTreeMap::<Option<String>, u64>::new();
    for values in of_hits {
        let values: BTreeSet<_> = values.into_iter().map(Some).collect();
        let values = if values.is_empty() { BTreeSet::from([None]) } else { values };
        for value in values {
            *counts.entry(value).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(value, count)| (value.is_none(), std::cmp::Reverse(*count)));
    counts
}

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project(path)).unwrap()).unwrap()
}

fn each<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The counts of the values of hits in a file of this project, by the field and other arguments in `more`.
fn count_by(query: &str, path: &str, more: &[&str]) -> Counted {
    let path = project(path);
    let path = path.to_str().unwrap();
    let all = [&["find", query, path, "--format", "jsonl", "--count-by"], more].concat();
    let ran = run(&all);
    assert_eq!(ran.code, 0, "{more:?}: {}", ran.err);
    value_counts(&ran)
}

/// The values of annotations and calls, as another reader counts them in the files.
#[test]
fn values_of_annotations_are_counted_as_another_reader_counts_them() {
    let sgd = "assets/demo/sgd/dialogues_001.json";
    let dialogs = read(sgd);
    let turns = || dialogs.as_array().unwrap().iter().flat_map(|dialog| each(dialog, "turns"));
    let frames = |of: &dyn Fn(&Value) -> Vec<String>| {
        counted(turns().map(|turn| each(turn, "frames").flat_map(of).collect()).collect())
    };
    let texts = |list: &Value| list.as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
    let of_sgd = [
        (
            "intent",
            frames(&|frame| {
                let intent = frame["state"]["active_intent"].as_str();
                intent.into_iter().filter(|i| *i != "NONE").map(str::to_owned).collect()
            }),
        ),
        (
            "service",
            frames(&|frame| {
                let slots = frame["state"]["slot_values"].as_object();
                let has = each(frame, "slots").count() + slots.map_or(0, serde_json::Map::len);
                if has > 0 { vec![text(&frame["service"])] } else { Vec::new() }
            }),
        ),
        ("act", frames(&|frame| each(frame, "actions").map(|act| text(&act["act"])).collect())),
        (
            "slot:flavour",
            frames(&|frame| {
                let of = each(frame, "actions").filter(|action| action["slot"] == "flavour");
                of.flat_map(|action| texts(&action["values"])).collect()
            }),
        ),
        ("state:city", frames(&|frame| texts(&frame["state"]["slot_values"]["city"]))),
    ];
    for (field, expected) in of_sgd {
        assert!(expected.len() > 1, "{field}");
        assert_eq!(count_by("turn>=0", sgd, &[field]), expected, "{field}");
    }
    // The members of answers.
    let path = "assets/demo/taskmaster-3.json";
    let tickets = read(path);
    let utterances = tickets.as_array().unwrap().iter().flat_map(|d| each(d, "utterances"));
    let calls = utterances.flat_map(|utterance| each(utterance, "apis"));
    let status = |call: &Value| {
        let status = call["response"]["status"].as_str();
        status.into_iter().map(str::to_owned).collect()
    };
    let expected = counted(calls.map(status).collect());
    assert!(expected.len() > 1);
    assert_eq!(count_by("api:*", path, &["response:status"]), expected);
}

/// Votes, gold labels and formats, as another reader counts them in the files.
#[test]
fn votes_and_formats_are_counted_as_another_reader_counts_them() {
    let is = |value: &str, hits| (Some(value.to_owned()), hits);
    let path = "assets/demo/dbdc/demo_001.log.json";
    let log = read(path);
    let votes = |of: &dyn Fn(&Value) -> Vec<String>| counted(each(&log, "turns").map(of).collect());
    let annotators =
        votes(&|turn| each(turn, "annotations").map(|vote| text(&vote["annotator-id"])).collect());
    assert!(annotators.len() > 2);
    assert_eq!(count_by("turn>=0", path, &["annotator"]), annotators);
    let majority = votes(&|turn| {
        let of = |letter: &&str| {
            let votes = each(turn, "annotations");
            votes.filter(|vote| vote["breakdown"] == **letter).count()
        };
        // Of equally many, the better label.
        let best = ["X", "T", "O"].into_iter().max_by_key(of);
        best.filter(|best| of(best) > 0).map(str::to_owned).into_iter().collect()
    });
    assert!(majority.len() > 2);
    assert_eq!(count_by("turn>=0", path, &["majority"]), majority);
    let folder = scratch();
    let gold = |turn: usize, letter: &str| {
        let [o, t, x] = ["O", "T", "X"].map(|other| f64::from(u8::from(other == letter)));
        json!({"turn-index": turn, "labels": [
            {"breakdown": letter, "prob-O": o, "prob-T": t, "prob-X": x, "comment": ""}]})
    };
    let labels = json!({"dialogue-id": log["dialogue-id"], "gold": true,
        "turns": [gold(2, "X"), gold(4, "X"), gold(6, "O")]});
    fs::write(folder.path().join("gold.labels.json"), labels.to_string()).unwrap();
    let gold = folder.path().to_str().unwrap();
    let all = each(&log, "turns").count() as u64;
    assert_eq!(
        count_by("turn>=0", path, &["gold", "--gold", gold]),
        [is("X", 2), is("O", 1), (None, all - 3)]
    );
    // Formats.
    let dialogs = |path: &str| read(path).as_array().unwrap().len() as u64;
    let families = count_by("turns>0", "assets/demo", &["family"]);
    for (family, expected) in [
        ("sgd", dialogs("assets/demo/sgd/dialogues_001.json")),
        ("taskmaster-3", dialogs("assets/demo/taskmaster-3.json")),
        ("taskmaster-4", dialogs("assets/demo/taskmaster-4.json")),
        ("dbdc", 4),
    ] {
        assert!(families.contains(&is(family, expected)), "{family}: {families:?}");
    }
}

#[test]
fn a_name_behind_an_equals_sign_is_a_whole_one() {
    let folder = scratch();
    fs::write(folder.path().join("a.json"), SHOWTIMES).unwrap();
    let wanted = [
        ("api:book", 2),
        ("api:=book", 2),
        ("api:=boo", 0),
        ("arg:=movie=dune", 2),
        ("arg:=movi=dune", 0),
        ("arg:movi=dune", 2),
        ("id:=a", 1),
        ("speaker:=assistant", 4),
        ("speaker:=assist", 0),
    ];
    counts(folder.path(), "a.json", &wanted);
}

/// Completes the first word behind `find` in a shell, in a folder that saves two queries. None if there is no such
/// shell.
fn completed(shell: &str, typed: &str, ask: &str) -> Option<String> {
    let folder = scratch();
    let saved = "[queries]\n\"two tickets\" = \"arg:num.tickets=two\"\nany = \"problem:\"\n";
    fs::write(folder.path().join("turnwise.toml"), saved).unwrap();
    let script = run(&["completions", shell]).out;
    let ask = ask.replace("PROGRAM", env!("CARGO_BIN_EXE_turnwise"));
    let ask = ask.replace("SCRIPT", &script).replace("TYPED", typed);
    fs::write(folder.path().join("ask"), ask).unwrap();
    let ran = std::process::Command::new(shell)
        .arg("ask")
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .output();
    let Ok(ran) = ran else {
        eprintln!("SKIPPED: there is no {shell}");
        return None;
    };
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    Some(String::from_utf8(ran.stdout).unwrap())
}

/// As bash completes it behind `find`, with a space in the name escaped.
#[test]
fn names_of_saved_queries_complete_in_bash() {
    let ask = "SCRIPT\nCOMP_WORDS=('PROGRAM' find 'TYPED'); COMP_CWORD=2\n\
               _turnwise_and_saved_queries 'PROGRAM' 'TYPED' find\nprintf '%s\\n' \"${COMPREPLY[@]}\"";
    if let Some(two) = completed("bash", "tw", ask) {
        assert_eq!(two, "two\\ tickets\n");
        let all = completed("bash", "", ask).unwrap();
        assert!(all.ends_with("any\ntwo\\ tickets\n"), "{all}");
    }
}

#[test]
fn names_of_saved_queries_complete_in_fish() {
    let ask = "SCRIPT\ncomplete -C \"'PROGRAM' find TYPED\"";
    if let Some(two) = completed("fish", "tw", ask) {
        assert_eq!(two, "two tickets\n");
        let all = completed("fish", "", ask).unwrap();
        assert!(all.lines().any(|line| line == "any"), "{all}");
        // Only the first word behind `find` is a query.
        let second = completed("fish", "any tw", ask).unwrap();
        assert!(!second.contains("two tickets"), "{second}");
    }
}

/// The functions of zsh's completion system are replaced by plain ones, as they work in an interactive shell only.
#[test]
fn names_of_saved_queries_complete_in_zsh() {
    let ask = "compdef() { :; }\n_call_program() { shift; \"$@\"; }\n\
               compadd() { print -l -- \"${saved[@]}\"; }\nSCRIPT\n_turnwise_generated() { :; }\n\
               words=('PROGRAM' find TYPED); CURRENT=$#words\n_turnwise\n";
    if let Some(all) = completed("zsh", "tw", ask) {
        assert_eq!(all, "any\ntwo tickets\n");
        assert_eq!(completed("zsh", "any tw", ask).unwrap(), "");
    }
}
