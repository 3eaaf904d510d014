//! The real git with turnwise as its driver: diff, log, merge, rebase, cherry-pick, stash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use turnwise::corpus::{Bytes, CorpusFile};
use turnwise::shell::jobs::{BlameScope, blame};

use crate::support::check::read;
use crate::support::files::{indexed, open_path};
use crate::support::{CORPUS, Ran, TempDir, project, run_in, run_with_path, scratch};

const LABEL: &str =
    r#"{"edit":"set_labels","dialog":"dlg-a","turn":0,"segment":0,"labels":["film"]}"#;
const ADDED: &str =
    r#"{"edit":"add_segment","dialog":"dlg-a","turn":0,"start":0,"end":3,"labels":["count"]}"#;
const LATER: &str =
    r#"{"edit":"add_segment","dialog":"dlg-a","turn":0,"start":21,"end":25,"labels":["time"]}"#;
const TEXT: &str = r#"{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"Well: Two for Nosferatu at nine, please."}"#;

/// A repository with a corpus, in which turnwise is set up, and `turnwise` on its path.
struct Repository {
    folder: TempDir,
    path: std::ffi::OsString,
}

impl Repository {
    fn new() -> Self {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_turnwise"));
        let paths = std::env::var_os("PATH").unwrap();
        let mut folders = vec![program.parent().unwrap().to_owned()];
        folders.extend(std::env::split_paths(&paths));
        let repository = Self { folder: scratch(), path: std::env::join_paths(folders).unwrap() };
        repository.good(&["init", "-q", "-b", "main"]);
        fs::write(repository.at("data.json"), CORPUS).unwrap();
        let ran = repository.turnwise(&["git", "install"], "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        repository.commit("first");
        repository
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn turnwise(&self, arguments: &[&str], input: &str) -> Ran {
        run_with_path(&self.path, self.folder.path(), arguments, input)
    }

    fn git(&self, arguments: &[&str]) -> Output {
        self.git_with(arguments, ("TURNWISE_MERGE", ""))
    }

    fn git_with(&self, arguments: &[&str], variable: (&str, &str)) -> Output {
        let mut git = Command::new("git");
        git.env(variable.0, variable.1);
        git.current_dir(self.folder.path()).env("PATH", &self.path);
        for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
            git.env(name, "/dev/null");
        }
        for name in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{name}_NAME"), "a");
            git.env(format!("GIT_{name}_EMAIL"), "a@example.org");
        }
        git.args(arguments).output().unwrap()
    }

    fn good(&self, arguments: &[&str]) -> String {
        let ran = self.git(arguments);
        assert!(ran.status.success(), "{arguments:?}: {ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    }

    fn commit(&self, message: &str) {
        self.good(&["add", "."]);
        self.good(&["commit", "-qm", message]);
    }

    fn edit(&self, record: &str) {
        let ran = self.turnwise(&["apply", "-", "data.json"], record);
        assert_eq!(ran.code, 0, "{ran:?}");
    }

    /// Commits an edit on a branch of its own, and one on `main`, where git is afterwards.
    fn branches(&self, theirs: &str, ours: &str) {
        self.good(&["checkout", "-qb", "other"]);
        self.edit(theirs);
        self.commit("theirs");
        self.good(&["checkout", "-q", "main"]);
        self.edit(ours);
        self.commit("ours");
    }

    fn data(&self) -> String {
        fs::read_to_string(self.at("data.json")).unwrap()
    }
}

/// The corpus after edits, each made after the one before.
fn edited(records: &[&str]) -> String {
    let folder = scratch();
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    let ran = run_in(folder.path(), &["apply", "-", "data.json"], &records.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    fs::read_to_string(folder.path().join("data.json")).unwrap()
}

#[test]
fn diffs_show_turns() {
    let repository = Repository::new();
    repository.edit(LABEL);
    let diff = repository.good(&["diff"]);
    assert!(diff.contains("\n-") && diff.contains("film"), "{diff}");
    assert!(!diff.contains("\"name\""), "{diff}");
    repository.commit("a label");
    let log = repository.good(&["log", "-p", "-1"]);
    assert!(log.contains("film") && !log.contains("\"name\""), "{log}");
    // Other JSON is compared as it is.
    fs::write(repository.at("package.json"), "{\"name\": \"x\"}\n").unwrap();
    repository.commit("a package");
    let log = repository.good(&["log", "-p", "-1"]);
    assert!(log.contains("+{\"name\": \"x\"}"), "{log}");
}

/// A text merge of these is clean and wrong.
#[test]
fn a_merge_moves_a_segment_with_its_words() {
    let repository = Repository::new();
    repository.branches(ADDED, TEXT);
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    assert_eq!(repository.data(), edited(&[ADDED, TEXT]));
}

#[test]
fn a_conflict_keeps_the_current_side_and_is_listed() {
    let repository = Repository::new();
    repository.branches(&LABEL.replace("film", "movie"), LABEL);
    let ran = repository.git(&["merge", "--no-edit", "other"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("decide them with: turnwise data.json"), "{said}");
    assert_eq!(repository.data(), edited(&[LABEL]));
    let list = fs::read_to_string(repository.at("data.json.conflicts.jsonl")).unwrap();
    assert!(list.contains("movie"), "{list}");
    let unmerged = repository.good(&["ls-files", "-u"]);
    assert_eq!(unmerged.lines().count(), 3, "{unmerged}");
}

#[test]
fn rebase_cherry_pick_stash_and_merge_tree_merge_by_what_dialogs_say() {
    let expected = edited(&[ADDED, TEXT]);
    let repository = Repository::new();
    repository.branches(ADDED, TEXT);
    let tree = repository.good(&["merge-tree", "--write-tree", "main", "other"]);
    let merged = repository.good(&["show", &format!("{}:data.json", tree.trim())]);
    assert_eq!(merged, expected);
    repository.good(&["cherry-pick", "other"]);
    assert_eq!(repository.data(), expected);
    repository.good(&["reset", "-q", "--hard", "HEAD~"]);
    repository.good(&["rebase", "-q", "other"]);
    assert_eq!(repository.data(), expected);

    let repository = Repository::new();
    repository.edit(ADDED);
    repository.good(&["stash", "-q"]);
    repository.edit(TEXT);
    repository.commit("a text");
    repository.good(&["stash", "pop", "-q"]);
    assert_eq!(repository.data(), expected);
}

/// A name may begin with a hyphen, at the top of a repository.
#[test]
fn names_of_files_are_not_options() {
    let repository = Repository::new();
    // As an earlier version has set it up.
    repository.good(&["config", "merge.turnwise.driver", "turnwise merge-driver %O %A %B %L %P"]);
    let status = repository.turnwise(&["git", "status"], "");
    assert!(status.code == 1 && status.out.contains("not up to date"), "{status:?}");
    repository.turnwise(&["git", "install"], "");
    assert_eq!(repository.turnwise(&["git", "status"], "").code, 0);

    let names = ["-h.json", "--theirs.json"];
    let write = |text: &str| names.map(|name| fs::write(repository.at(name), text).unwrap());
    write(CORPUS);
    repository.commit("begun");
    repository.good(&["checkout", "-qb", "other"]);
    write(&edited(&[ADDED]));
    assert!(repository.good(&["diff"]).contains("count"));
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    write(&edited(&[TEXT]));
    repository.commit("ours");
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    for name in names {
        assert_eq!(fs::read_to_string(repository.at(name)).unwrap(), edited(&[ADDED, TEXT]));
    }
    repository.good(&["reset", "-q", "--hard", "HEAD^1"]);
    write(&edited(&[&ADDED.replace("count", "number")]));
    repository.commit("ours again");
    let ran = repository.git(&["merge", "--no-edit", "other"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("decide them with: turnwise ./-h.json"), "{said}");
    assert!(repository.at("-h.json.conflicts.jsonl").exists());

    // As pre-commit runs the hooks.
    fs::write(repository.at("bad.json"), "[{").unwrap();
    let hooks = fs::read_to_string(project(".pre-commit-hooks.yaml")).unwrap();
    for hook in hooks.split("- id: ").skip(1) {
        let value = |key: &str| {
            let lines = hook.lines().map(str::trim);
            let mut values = lines.filter_map(|line| line.strip_prefix(key));
            values.next().unwrap().trim().to_owned()
        };
        let entry = value("entry: turnwise");
        let more: Vec<String> = serde_json::from_str(&value("args:")).unwrap();
        let mut arguments = vec![entry.as_str()];
        arguments.extend(more.iter().map(String::as_str));
        arguments.extend(["bad.json", "-h.json"]);
        let ran = repository.turnwise(&arguments, "");
        assert_eq!(ran.code, 2, "{ran:?}");
    }
}

/// Git runs the driver to look back and ahead, too.
#[test]
fn a_list_of_conflicts_belongs_to_its_merge() {
    let repository = Repository::new();
    let list = || fs::read_to_string(repository.at("data.json.conflicts.jsonl")).ok();
    // A clean merge before, whose first parent has the file as it is in the end.
    repository.branches(ADDED, TEXT);
    let before = repository.data();
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    fs::write(repository.at("data.json"), &before).unwrap();
    repository.commit("back");
    repository.good(&["checkout", "-qb", "third"]);
    repository.edit(&format!("{}\n{ADDED}", LABEL.replace("film", "movie")));
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    repository.edit(LABEL);
    repository.commit("ours");
    let look = || {
        repository.good(&["log", "--remerge-diff"]);
        repository.good(&["show", "--remerge-diff", "HEAD~2"]);
        for [one, other] in [["HEAD", "HEAD"], ["HEAD~2^1", "other"], ["third", "HEAD"]] {
            repository.git(&["merge-tree", "--write-tree", one, other]);
        }
    };
    look();
    repository.git(&["merge-tree", "--write-tree", "HEAD", "third"]);
    assert_eq!(list(), None);
    let ran = repository.git(&["merge", "--no-edit", "third"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let listed = list();
    assert!(listed.as_ref().is_some_and(|list| list.contains("movie")), "{listed:?}");
    look();
    assert_eq!(list(), listed);
    // Git refuses this merge in the end.
    repository.good(&["reset", "-q"]);
    repository.edit(&LABEL.replace("film", "title"));
    let listed = list();
    let ran = repository.git(&["merge", "--no-edit", "third"]);
    assert!(String::from_utf8_lossy(&ran.stderr).contains("would be overwritten"), "{ran:?}");
    assert_eq!(list(), listed);
}

/// Git itself does not know the list, so it stays when a merge is taken back.
#[test]
fn a_list_of_a_merge_that_was_taken_back_fails_no_other() {
    let repository = Repository::new();
    let list = || fs::read_to_string(repository.at("data.json.conflicts.jsonl")).ok();
    repository.branches(&LABEL.replace("film", "movie"), LABEL);
    let ran = repository.git(&["merge", "--no-edit", "other"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    repository.good(&["merge", "--abort"]);
    repository.good(&["checkout", "-qb", "third", "main~1"]);
    repository.edit(ADDED);
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    repository.good(&["merge", "--no-edit", "third"]);
    assert_eq!(repository.data(), edited(&[LABEL, ADDED]));
    // It is still open whether the merge was taken back or its conflicts are left for later.
    assert!(list().is_some_and(|list| list.contains("movie")));
}

/// However git comes to merge, the file and its list are those of `turnwise merge`.
#[test]
fn each_kind_of_merge_lists_its_conflicts() {
    type Kind = (&'static str, &'static [&'static str]);
    const KINDS: [Kind; 6] = [
        ("data.json", &["merge", "--no-edit", "other"]),
        ("data.json", &["cherry-pick", "other"]),
        ("data.json", &["rebase", "other"]),
        ("data.json", &["checkout", "-m", "other"]),
        ("data.json", &["stash", "pop"]),
        ("new/name.json", &["merge", "--no-edit", "renamed"]),
    ];
    let movie = LABEL.replace("film", "movie");
    for (name, kind) in KINDS {
        let repository = Repository::new();
        repository.branches(&movie, LABEL);
        repository.good(&["checkout", "-qb", "renamed", "other"]);
        fs::create_dir(repository.at("new")).unwrap();
        repository.good(&["mv", "data.json", "new/name.json"]);
        repository.commit("renamed");
        repository.good(&["checkout", "-q", "main"]);
        match kind[0] {
            "stash" => {
                repository.good(&["reset", "-q", "--hard", "HEAD~"]);
                repository.edit(&movie);
                repository.good(&["stash", "-q"]);
                repository.edit(LABEL);
                repository.commit("ours");
            }
            "checkout" => {
                repository.good(&["reset", "-q", "HEAD~"]);
            }
            _ => {}
        }
        let ran = repository.git(kind);
        let list = fs::read_to_string(repository.at(&format!("{name}.conflicts.jsonl")));
        let list = list.unwrap_or_else(|_| panic!("{kind:?}: {ran:?}"));
        // In a rebase, ours is the other branch; so it is where changes are carried along.
        let is_other = matches!(kind[0], "rebase" | "checkout");
        let (kept, left) = if is_other { (&*movie, "film") } else { (LABEL, "movie") };
        assert!(list.contains(left) && list.lines().count() == 1, "{kind:?}: {list}");
        let file = fs::read_to_string(repository.at(name)).unwrap();
        assert_eq!(file, edited(&[kept]), "{kind:?}");
    }
}

#[test]
fn files_that_are_not_corpora_are_merged_as_text() {
    let repository = Repository::new();
    let write = |name: &str, text: &str| fs::write(repository.at(name), text).unwrap();
    write("other.json", "{\n \"a\": 1,\n \"b\": 2,\n \"c\": 3,\n \"d\": 4\n}\n");
    repository.commit("an object");
    repository.good(&["checkout", "-qb", "other"]);
    write("other.json", "{\n \"a\": 0,\n \"b\": 2,\n \"c\": 3,\n \"d\": 4\n}\n");
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    write("other.json", "{\n \"a\": 1,\n \"b\": 2,\n \"c\": 3,\n \"d\": 5\n}\n");
    repository.commit("ours");
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    let merged = fs::read_to_string(repository.at("other.json")).unwrap();
    assert_eq!(merged, "{\n \"a\": 0,\n \"b\": 2,\n \"c\": 3,\n \"d\": 5\n}\n");
}

#[test]
fn a_file_that_both_add_is_merged_by_dialogs() {
    let repository = Repository::new();
    repository.good(&["checkout", "-qb", "other"]);
    fs::write(repository.at("new.json"), edited(&[LABEL])).unwrap();
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    fs::write(repository.at("new.json"), CORPUS).unwrap();
    repository.commit("ours");
    let ran = repository.git(&["merge", "--no-edit", "other"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let merged = fs::read_to_string(repository.at("new.json")).unwrap();
    assert_eq!(merged, CORPUS, "valid JSON, our side");
}

/// The log of a dialog that two people have begun, each on a branch.
const LOG: &str = r#"{
    "dialogue-id": "dlg-a",
    "group-id": "data.json",
    "speaker-id": "",
    "turns": [
        {
            "turn-index": 0,
            "speaker": "S",
            "time": "",
            "annotations": [],
            "utterance": "It\u2019s sold out."
        },
        {
            "turn-index": 1,
            "speaker": "S",
            "time": "",
            "annotations": [],
            "utterance": "Anything else?"
        }
    ]
}
"#;

fn vote(turn: usize, annotator: &str, breakdown: &str) -> String {
    format!(
        r#"{{"edit":"cast_vote","dialog":"dlg-a","turn":{turn},"annotator":"{annotator}","breakdown":"{breakdown}"}}"#
    )
}

#[test]
fn votes_in_logs_that_both_begin_are_all_kept() {
    let repository = Repository::new();
    let vote_on = |votes: &[String]| {
        fs::create_dir_all(repository.at("votes")).unwrap();
        fs::write(repository.at("votes/dlg-a.log.json"), LOG).unwrap();
        let arguments = ["apply", "-", "votes/dlg-a.log.json"];
        let ran = repository.turnwise(&arguments, &votes.join("\n"));
        assert_eq!(ran.code, 0, "{ran:?}");
    };
    let log = || fs::read_to_string(repository.at("votes/dlg-a.log.json")).unwrap();
    repository.good(&["checkout", "-qb", "other"]);
    vote_on(&[vote(0, "js", "O"), vote(1, "js", "X"), vote(1, "both", "X")]);
    repository.commit("js");
    repository.good(&["checkout", "-q", "main"]);
    vote_on(&[vote(0, "mk", "T")]);
    repository.commit("mk");
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    let merged = log();
    vote_on(&[vote(0, "mk", "T"), vote(0, "js", "O"), vote(1, "js", "X"), vote(1, "both", "X")]);
    assert_eq!(merged, log());
    repository.good(&["checkout", "-q", "."]);
    assert_eq!(repository.turnwise(&["merge", "--check"], "").code, 0);

    // One of them has voted on both, otherwise.
    repository.good(&["reset", "-q", "--hard", "HEAD^1"]);
    repository.edit(TEXT);
    vote_on(&[vote(0, "mk", "T"), vote(1, "both", "T")]);
    repository.commit("mk again");
    let ran = repository.git(&["merge", "--no-edit", "other"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    vote_on(&[vote(0, "mk", "T"), vote(1, "both", "T"), vote(0, "js", "O"), vote(1, "js", "X")]);
    repository.commit("merged");
    assert_eq!(repository.turnwise(&["merge", "--check"], "").code, 0);
    repository.good(&["reset", "-q", "--hard", "HEAD^1"]);
    let ran =
        repository.git_with(&["merge", "-q", "--no-edit", "other"], ("TURNWISE_MERGE", "union"));
    assert!(ran.status.success(), "{ran:?}");
    vote_on(&[vote(0, "mk", "T"), vote(1, "js", "X"), vote(1, "both", "T"), vote(0, "js", "O")]);
    assert_eq!(repository.good(&["diff", "--name-only"]), "", "{}", log());

    // Somebody keeps one side as a whole.
    repository.good(&["reset", "-q", "--hard", "HEAD^1"]);
    repository.git(&["merge", "--no-edit", "other"]);
    repository.good(&["checkout", "--ours", "votes/dlg-a.log.json"]);
    fs::remove_file(repository.at("votes/dlg-a.log.json.conflicts.jsonl")).unwrap();
    repository.commit("merged");
    let ran = repository.turnwise(&["merge", "--check"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("js"), "{ran:?}");
    let repeat = ran.out.lines().find_map(|line| line.strip_prefix("repeat it with: turnwise "));
    let again: Vec<_> = repeat.unwrap().split(' ').collect();
    assert_eq!(repository.turnwise(&again, "").code, 1, "the conflict");
    assert!(log().contains("js"));
}

fn judgement(turn: usize, value: u8) -> String {
    format!(
        r#"{{"dialog":"dlg-a","turn":{turn},"question":"q","value":{value},"by":"mk","mine":true}}"#
    )
}

/// Folders, too, are compared as git has them, also if they are in one revision only.
#[test]
fn folders_are_read_as_git_has_them() {
    let repository = Repository::new();
    repository.good(&["checkout", "-qb", "mk"]);
    fs::create_dir(repository.at("votes")).unwrap();
    fs::write(repository.at("votes/dlg-a.log.json"), LOG).unwrap();
    repository.commit("begun");
    repository.good(&["checkout", "-qb", "js"]);
    let path = "votes/dlg-a.log.json";
    let ran = repository.turnwise(&["apply", "-", path], &vote(0, "js", "X"));
    assert_eq!(ran.code, 0, "{ran:?}");
    repository.commit("js");
    let ran = repository.turnwise(&["diff", "mk:votes", "votes"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("js") && ran.out.contains("votes/dlg-a.log.json"), "{ran:?}");
    repository.good(&["checkout", "-q", "main"]);
    for names in [["mk:votes", "js:votes"], ["mk:./votes/", "js:./votes/"]] {
        let ran = repository.turnwise(&["diff", names[0], names[1], "--format", "jsonl"], "");
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains("\"file\":\"dlg-a.log.json\""), "{ran:?}");
    }
    let ran = repository.turnwise(&["diff", "mk:nothing", "js:votes"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    // The top of the repository is a folder, too.
    let repository = Repository::new();
    repository.edit(TEXT);
    let ran = repository.turnwise(&["diff", "HEAD:.", "."], "");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{ran:?}");
    assert!(ran.out.contains("Well: Two"), "{ran:?}");
}

#[test]
fn judgements_are_merged_answer_by_answer() {
    let repository = Repository::new();
    let path = repository.at("judgements/mk.jsonl");
    let write = |lines: &[(usize, u8)]| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines: Vec<_> = lines.iter().map(|of| judgement(of.0, of.1) + "\n").collect();
        fs::write(&path, lines.concat()).unwrap();
    };
    let text = || fs::read_to_string(&path).unwrap();
    write(&[(1, 1), (4, 1)]);
    repository.commit("begun");
    repository.good(&["checkout", "-qb", "other"]);
    // Lines beside each other, which would be a conflict of texts.
    write(&[(0, 2), (2, 2), (4, 1)]);
    repository.commit("theirs");
    repository.good(&["checkout", "-q", "main"]);
    write(&[(1, 1), (3, 3), (4, 3)]);
    repository.commit("ours");
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    let merged = text();
    write(&[(0, 2), (2, 2), (3, 3), (4, 3)]);
    assert_eq!(merged, text());
    assert_eq!(repository.turnwise(&["merge", "--check"], "").code, 0);
    // One of them answers otherwise what the other has answered, too.
    write(&[(0, 2), (2, 2), (4, 3)]);
    repository.commit("one less");
    repository.good(&["commit", "-q", "--amend", "-am", "one less"]);
    repository.good(&["checkout", "-qb", "third"]);
    write(&[(0, 1), (2, 2), (4, 3), (5, 1)]);
    repository.commit("theirs again");
    repository.good(&["checkout", "-q", "main"]);
    write(&[(0, 3), (2, 2), (4, 3)]);
    repository.commit("ours again");
    let ran = repository.git(&["merge", "--no-edit", "third"]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let merged = text();
    let list = fs::read_to_string(repository.at("judgements/mk.jsonl.conflicts.jsonl")).unwrap();
    assert!(list.contains("\"ours\":\"mk: q: 3\"") && list.lines().count() == 1, "{list}");
    write(&[(0, 3), (2, 2), (4, 3), (5, 1)]);
    assert_eq!(merged, text());
    repository.commit("merged");
    assert_eq!(repository.turnwise(&["merge", "--check"], "").code, 0);
    write(&[(0, 3), (2, 2), (4, 3)]);
    repository.good(&["commit", "-q", "--amend", "-am", "lost"]);
    let ran = repository.turnwise(&["merge", "--check"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("-dialog dlg-a, turn 5, mk: q: 1"), "{ran:?}");
}

#[test]
fn a_merge_that_came_out_wrong_is_found_without_settings() {
    let repository = Repository::new();
    repository.turnwise(&["git", "uninstall"], "");
    repository.branches(LATER, TEXT);
    let ran = repository.turnwise(&["merge", "--check"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("HEAD is not a merge"), "{ran:?}");
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    let ran = repository.turnwise(&["merge", "--check", "HEAD"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("data.json: merged wrongly in"), "{ran:?}");
    let repeat = ran.out.lines().find_map(|line| line.strip_prefix("repeat it with: turnwise "));
    let again: Vec<_> = repeat.unwrap().split(' ').collect();
    assert_eq!(repository.turnwise(&again, "").code, 0);
    assert_eq!(repository.data(), edited(&[LATER, TEXT]));
    repository.good(&["commit", "-qam", "mended", "--amend"]);
    let ran = repository.turnwise(&["merge", "--check", "HEAD"], "");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let ran = repository.turnwise(&["merge", "--check", "nowhere"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    // Without its parents, nothing is known of a merge.
    let from = format!("file://{}", repository.folder.path().display());
    repository.good(&["clone", "-q", "--depth", "1", &from, "shallow"]);
    let ran = run_in(&repository.at("shallow"), &["merge", "--check", "HEAD"], "");
    assert!(ran.code == 2 && ran.err.contains("shallow clone"), "{ran:?}");
}

#[test]
fn parts_are_traced_to_the_commits_that_made_them() {
    let repository = Repository::new();
    let name = |of: &str| repository.good(&["log", "-1", "--format=%h", of]).trim().to_owned();
    repository.edit(ADDED);
    repository.commit("a segment");
    let segment = name("HEAD");
    repository.edit(TEXT);
    repository.commit("a text");
    let text = name("HEAD");
    // Another indentation, a dialog before it, and another name of the file.
    let value: serde_json::Value = serde_json::from_str(&repository.data()).unwrap();
    let mut dialogs = value.as_array().unwrap().clone();
    dialogs.reverse();
    let moved = serde_json::Value::from(dialogs).to_string();
    fs::write(repository.at("data.json"), moved).unwrap();
    repository.commit("written otherwise");
    // In files of one line, git sees no likeness once a letter has changed.
    repository.good(&["mv", "data.json", "moved.json"]);
    let field = r#"{"edit":"set_field","dialog":"dlg-b","name":"vertical","text":"Films"}"#;
    let ran = repository.turnwise(&["apply", "-", "moved.json"], field);
    assert_eq!(ran.code, 0, "{ran:?}");
    repository.commit("renamed");
    let label = r#"{"edit":"set_labels","dialog":"dlg-a","turn":0,"segment":1,"labels":["film"]}"#;
    let ran = repository.turnwise(&["apply", "-", "moved.json"], label);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = repository.turnwise(&["blame", "moved.json", "-d", "dlg-a", "--format", "jsonl"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let parts =
        ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let commit_of = |part: &str, said: &str| {
        let mut parts = parts.clone();
        let found = parts.find(|of| {
            let has_text = of["said"].as_str().is_some_and(|all| all.contains(said));
            of["part"] == part && of["turn"] == 0 && has_text
        });
        found.unwrap_or_else(|| panic!("{part} {said}: {}", ran.out))["commit"].clone()
    };
    let first = name("HEAD~4");
    assert_eq!(commit_of("speaker", "user"), first.as_str());
    assert_eq!(commit_of("text", "Well"), text.as_str());
    assert_eq!(commit_of("segment", "count"), segment.as_str());
    assert_eq!(commit_of("segment", "film"), "");
    let ran = repository.turnwise(&["blame", "moved.json"], "");
    assert!(ran.out.contains("not committed"), "{}", ran.out);
}

#[test]
fn blame_says_where_the_history_of_a_shallow_clone_ends() {
    let repository = Repository::new();
    repository.edit(TEXT);
    repository.commit("text");
    let clone = scratch();
    let origin = format!("file://{}", repository.folder.path().display());
    let path = clone.path().join("clone");
    let path_text = path.display().to_string();
    repository.good(&["clone", "-q", "--depth", "1", &origin, &path_text]);
    let ran = run_in(&path, &["blame", "data.json", "-t", "0"], "");
    assert!(ran.out.lines().all(|line| line.starts_with('^')), "{ran:?}");
    assert!(ran.err.contains("shallow"), "{ran:?}");
    let ran = run_in(&path, &["blame", "data.json", "--format", "jsonl"], "");
    assert!(ran.out.contains(r#""boundary":true"#), "{ran:?}");
    let whole = repository.turnwise(&["blame", "data.json", "--format", "jsonl"], "");
    assert!(!whole.out.contains("boundary"), "{whole:?}");
}

/// Settings of a clone, which may be somebody else's, run no program and change nothing that is read.
#[test]
#[cfg(unix)]
fn settings_of_a_clone_run_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let repository = Repository::new();
    let program = repository.at("program");
    let ran = repository.at("ran");
    // Signs as gpg does.
    let script = format!(
        "#!/bin/sh\ntouch '{}'\ncat > /dev/null\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\necho '[GNUPG:] SIG_CREATED ' >&2\n",
        ran.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    repository.edit(LABEL);
    let signed = format!("gpg.program={program}");
    repository.good(&["-c", &signed, "commit", "-qaSx", "-m", "signed"]);
    let blame = || repository.turnwise(&["blame", "data.json"], "");
    let before = blame();
    assert!(before.out.contains("film"), "{before:?}");
    for (name, value) in
        [("log.showSignature", "true"), ("gpg.program", program), ("core.fsmonitor", program)]
    {
        repository.good(&["config", name, value]);
    }
    let _ = fs::remove_file(&ran);
    let after = blame();
    assert_eq!((after.code, after.out), (before.code, before.out), "{}", after.err);
    assert!(!ran.exists());
    // A partial clone, which lacks the file as it was before.
    let url = format!("ext::{program}");
    for (name, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &url),
        ("protocol.ext.allow", "always"),
    ] {
        repository.good(&["config", name, value]);
    }
    let lacking = repository.good(&["rev-parse", "HEAD~:data.json"]);
    let (folder, name) = lacking.trim().split_at(2);
    fs::remove_file(repository.at(&format!(".git/objects/{folder}/{name}"))).unwrap();
    let after = blame();
    assert!(!ran.exists(), "{after:?}");
    assert_eq!((after.code, after.out.as_str()), (2, ""), "{after:?}");
}

#[test]
fn what_is_written_is_printed_told_and_taken_away() {
    let repository = Repository::new();
    let attributes = || fs::read_to_string(repository.at(".gitattributes")).unwrap_or_default();
    assert_eq!(attributes().lines().count(), 2);
    let again = repository.turnwise(&["git", "install"], "");
    assert_eq!(attributes().lines().count(), 2, "{again:?}");
    assert_eq!(repository.turnwise(&["git", "status"], "").code, 0);
    // A clone has the attributes, but not the settings.
    repository.good(&["config", "--remove-section", "merge.turnwise"]);
    let status = repository.turnwise(&["git", "status"], "");
    assert_eq!(status.code, 1, "{status:?}");
    assert!(status.out.contains("merge.turnwise.driver is missing"), "{status:?}");
    // A list of conflicts is not added by accident.
    fs::write(repository.at("data.json.conflicts.jsonl"), "{}").unwrap();
    assert_eq!(repository.good(&["status", "--porcelain"]), "");
    assert!(status.out.contains("*.conflicts.jsonl"), "{status:?}");
    let removed = repository.turnwise(&["git", "uninstall"], "");
    assert_eq!(removed.code, 0, "{removed:?}");
    let untracked = repository.good(&["status", "--porcelain"]);
    assert!(untracked.contains("data.json.conflicts.jsonl"), "{untracked}");
    assert!(!repository.at(".gitattributes").exists());
    // The attributes may be written by hand.
    fs::write(repository.at(".gitattributes"), "*.dlg -text merge=turnwise\n").unwrap();
    let status = repository.turnwise(&["git", "status"], "");
    assert_eq!(status.code, 1, "{status:?}");
    assert!(!fs::read_to_string(repository.at(".git/config")).unwrap().contains("turnwise"));
}

/// Git runs it by its name.
#[test]
fn a_program_that_git_cannot_find_is_reported() {
    let repository = Repository::new();
    let folders = std::env::split_paths(&repository.path).skip(1);
    let path = std::env::join_paths(folders).unwrap();
    let without =
        |arguments: &[&str]| run_with_path(&path, repository.folder.path(), arguments, "");
    let status = without(&["git", "status"]);
    assert_eq!(status.code, 1, "{status:?}");
    assert!(status.out.contains("PATH"), "{status:?}");
    let install = without(&["git", "install"]);
    assert_eq!(install.code, 0, "{install:?}");
    assert!(install.err.contains("PATH"), "{install:?}");
    // The settings of a user may name its folder.
    for name in ["merge.turnwise.driver", "diff.turnwise.textconv"] {
        repository.good(&["config", name, "/opt/turnwise/turnwise merge-driver"]);
    }
    assert_eq!(without(&["git", "status"]).code, 0);
}

#[test]
fn lines_of_others_stay_and_those_of_lfs_win() {
    let repository = Repository::new();
    repository.turnwise(&["git", "uninstall"], "");
    let path = repository.at(".gitattributes");
    let lfs = "*.json filter=lfs diff=lfs merge=lfs -text";
    fs::write(&path, lfs).unwrap();
    let ran = repository.turnwise(&["git", "install", "--lfs-safe", "*.json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let attribute = repository.good(&["check-attr", "merge", "data.json"]);
    assert_eq!(attribute.trim(), "data.json: merge: lfs");
    repository.turnwise(&["git", "uninstall"], "");
    assert_eq!(fs::read_to_string(&path).unwrap().trim_end(), lfs);
}

#[test]
fn outside_a_repository_that_is_reported() {
    let folder = scratch();
    let ran = run_in(folder.path(), &["git", "install"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("not a git repository"), "{ran:?}");
    let ran = run_in(Path::new("/"), &["merge-driver", "no", "such", "files"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
}

/// Merges are followed to both of their sides, of which one has the file by another name, and branches that have merged
/// each other.
#[test]
fn parts_are_traced_through_merges() {
    let repository = Repository::new();
    let name = |of: &str| {
        let name = repository.good(&["log", "-1", "--format=%h", of]);
        name.trim().to_owned()
    };
    let commit_of = |file: &str, part: &str, said: &str| {
        let arguments = ["blame", file, "-d", "dlg-a", "-t", "0", "--format", "jsonl"];
        let ran = repository.turnwise(&arguments, "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let lines = ran.out.lines();
        let mut parts = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let is_meant = |of: &serde_json::Value| {
            of["part"] == part && of["said"].as_str().is_some_and(|all| all.contains(said))
        };
        let found = parts.find(is_meant);
        let found = found.unwrap_or_else(|| panic!("{part} {said}: {}", ran.out));
        found["commit"].as_str().unwrap().to_owned()
    };
    let first = name("HEAD");
    repository.branches(ADDED, TEXT);
    let (theirs, ours) = (name("other"), name("main"));
    // Each merges the other's commit.
    repository.good(&["merge", "-q", "--no-edit", "other"]);
    repository.good(&["checkout", "-q", "other"]);
    repository.good(&["merge", "-q", "--no-edit", &ours]);
    repository.edit(&LABEL.replace("\"segment\":0", "\"segment\":1").replace("film", "seen"));
    repository.commit("a label");
    let label = name("other");
    repository.good(&["checkout", "-q", "main"]);
    for (part, said, commit) in
        [("segment", "count", &theirs), ("text", "Well", &ours), ("speaker", "", &first)]
    {
        assert_eq!(commit_of("data.json", part, said), *commit, "{part}");
    }
    repository.good(&["merge", "-q", "--no-ff", "--no-edit", "other"]);
    assert_eq!(commit_of("data.json", "segment", "seen"), label);
    assert_eq!(commit_of("data.json", "text", "Well"), ours);

    // One side gives the file another name, the other goes on with the old one.
    repository.good(&["checkout", "-qb", "renamed"]);
    repository.good(&["mv", "data.json", "moved.json"]);
    repository.commit("renamed");
    repository.good(&["checkout", "-q", "main"]);
    repository.edit(&TEXT.replace("nine", "ten"));
    repository.commit("ten");
    let ten = name("main");
    repository.good(&["checkout", "-q", "renamed"]);
    let added = ADDED.replace("\"turn\":0", "\"turn\":1");
    let ran = repository.turnwise(&["apply", "-", "moved.json"], &added);
    assert_eq!(ran.code, 0, "{ran:?}");
    repository.commit("late");
    for (from, into) in [("main", "renamed"), ("renamed", "main")] {
        repository.good(&["checkout", "-q", into]);
        repository.good(&["merge", "-q", "--no-ff", "--no-edit", from]);
        assert_eq!(commit_of("moved.json", "text", "ten"), ten, "{into}");
        assert_eq!(commit_of("moved.json", "segment", "seen"), label);
        assert_eq!(commit_of("moved.json", "speaker", ""), first);
        repository.good(&["reset", "-q", "--hard", "HEAD^1"]);
    }
}

/// The job of the screen finds what the command prints.
#[test]
fn a_dialog_is_followed_through_commits_in_the_background() {
    let repository = Repository::new();
    for (edit, message) in [(LABEL, "label"), (TEXT, "text"), (ADDED, "count")] {
        let ran = repository.turnwise(&["apply", "-", "data.json"], edit);
        assert_eq!(ran.code, 0, "{ran:?}");
        repository.commit(message);
    }
    let file = open_path(&repository.at("data.json")).unwrap();
    let scope = BlameScope {
        path: repository.at("data.json"),
        dialog: read(&file, 0),
        file: bytes_of(&repository.at("data.json")),
        position: 0,
    };
    let (text, first) = blame(scope, 0, &mut |_| true);
    assert_eq!(first, 0);
    let printed = repository.turnwise(&["blame", "data.json", "-d", "0", "--format", "jsonl"], "");
    let parts = printed.out.lines().map(serde_json::from_str::<serde_json::Value>);
    let parts: Vec<_> = parts.map(Result::unwrap).collect();
    assert_eq!(text.lines().count(), parts.len());
    for (line, part) in text.lines().zip(&parts) {
        let said = part["said"].as_str().unwrap();
        assert!(line.contains(said) && line.contains(part["part"].as_str().unwrap()), "{line}");
    }
}

fn bytes_of(path: &Path) -> CorpusFile {
    let bytes = fs::read(path).unwrap();
    let index = indexed(&bytes);
    CorpusFile::new(Bytes::from(bytes), index)
}
