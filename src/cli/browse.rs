//! `turnwise PATH…` and `turnwise demo`: the interactive program.

use std::collections::HashMap;
use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::conflicts::add_conflicts;
use super::errors::{Ended, OrStop as _, Stop, complain, file_error};
use super::options::{ExcludedOption, FamilyOption, RuleOptions, annotator_id, project_settings};
use super::output::{name_of, same_file};
use super::printer::Printer;
use super::records::{RecordLine, names, read_records};
use super::style::shown;
use super::{CommandOutcome, is_subcommand, mistyped};
use crate::app::input::{KeyNames, Keymap};
use crate::app::settings::Settings;
use crate::app::{App, Blind, Guideline, Judging, Proposed, Review, SchemeFrom, session};
use crate::judging::{Kept, Scheme};
use crate::lint::Linter;
use crate::shell::{
    AUTO, BrowsedFiles, FoundLogs, FoundPath, LARGEST_SETTINGS, Origin, STDIN, ThemeState,
    UserFolders, browse, conflicts_of, demo, files_with_conflicts, find_corpora, find_files,
    find_logs, has_corpora, is_changed, matched_paths, place_in_demo, read_assignments,
    read_side_text, scheme_beside, scheme_named,
};
use crate::view::Colours;
use crate::view::theme::THEMES;
use crate::votes::ids::may_judge;
use crate::workspace::{LintContext, QueueKind};

/// Options of the interactive program.
#[derive(clap::Args, Default)]
pub struct Options {
    /// auto, dark, light, colour-blind-safe, monochrome, …
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// default, annotator, or your own
    #[arg(long, value_name = "NAME")]
    keymap: Option<String>,
    /// Judge under this annotator id
    #[arg(long, value_name = "ID", value_parser = id)]
    annotator: Option<String>,
    /// Folder of vote logs [default: votes/ beside files]
    #[arg(long, value_name = "DIR")]
    votes: Option<PathBuf>,
    /// Questions to ask: a bundled scheme, or a file
    #[arg(long, value_name = "NAME|FILE")]
    scheme: Option<String>,
    /// Adjudicate: your answers become the gold answers
    #[arg(long)]
    adjudicator: bool,
    /// Show only your answers and those of these annotators
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = annotator_id())]
    annotators: Vec<String>,
    /// Hide others' answers until you have given yours
    #[arg(long)]
    blind: bool,
}

impl Options {
    /// Checks the names given in options, even if the output goes into a pipe, where it makes no use of them.
    ///
    /// # Errors
    /// If one of them is not known.
    fn check(&self) -> Result<(), Stop> {
        let user = UserFolders::find();
        let theme = self.theme.as_deref().filter(|name| *name != AUTO);
        let theme = theme.map_or(Ok(()), |name| user.theme(name, Colours::None).map(drop));
        let keymap = self.keymap.as_deref();
        let keymap = || keymap.map_or(Ok(()), |name| user.keymap(name).map(drop));
        theme.and_then(|()| keymap()).or_stop()?;
        self.scheme.as_deref().map_or(Ok(()), |given| scheme_named(given, None).map(drop).or_stop())
    }
}

fn id(text: &str) -> Result<String, &'static str> {
    may_judge(text).map(|()| text.trim().to_owned())
}

/// Corpus files to browse.
#[derive(clap::Args)]
pub struct BrowseArguments {
    /// Corpus files or folders (recursive)
    paths: Vec<PathBuf>,
    /// Review suggested edits from a file, one per line
    #[arg(long, value_name = "FILE")]
    suggestions: Option<PathBuf>,
    #[command(flatten)]
    family: FamilyOption,
    #[command(flatten)]
    options: Options,
}

/// The files to browse.
#[derive(Default)]
struct Opened {
    /// Display names and paths.
    files: Vec<(String, PathBuf)>,
    suggestions: Vec<RecordLine>,
    family: FamilyOption,
    /// The descriptions that are left out, and why.
    wrong: Vec<String>,
}

/// Browse the bundled demo corpora, copied to a temporary folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise demo")]
pub struct DemoArguments {
    #[command(flatten)]
    options: Options,
}

pub fn run(arguments: &BrowseArguments, out: &mut Printer) -> Ended {
    arguments.options.check()?;
    if arguments.paths.is_empty() {
        return offer(arguments, out);
    }
    open(arguments, &arguments.paths, out)
}

/// Asks whether to open this folder or the demo, because no file is named.
fn offer(arguments: &BrowseArguments, out: &mut Printer) -> Ended {
    if !has_screen() || !io::stdin().is_terminal() {
        let why = "name the files or folders to open, or a command\n\
            `turnwise --help` lists options and commands; `turnwise demo` opens example dialogs";
        return Err(Stop::say(why));
    }
    let here = Path::new(".");
    let has_files = has_corpora(here);
    let question = if has_files {
        "Open the JSON files in this folder, or the demo? [Enter: files, d: demo, q: quit]"
    } else {
        "There are no JSON files in this folder. Open the demo? [Enter: demo, q: quit]"
    };
    writeln!(
        out,
        "turnwise opens files and folders; `turnwise --help` lists options and commands."
    )?;
    write!(out, "{question} ")?;
    out.flush()?;
    let mut answer = String::new();
    let is_answered = io::stdin().read_line(&mut answer)? > 0;
    match answer.trim() {
        "" | "y" if is_answered && has_files => open(arguments, &[here.to_owned()], out),
        "" | "y" | "d" if is_answered => open_demo(&arguments.options, out),
        _ => Ok(CommandOutcome::Clean),
    }
}

/// Opens the files at these paths.
fn open(arguments: &BrowseArguments, named: &[PathBuf], out: &mut Printer) -> Ended {
    // Conflicts are found beside their file.
    let own = arguments.suggestions.as_deref();
    let is_list = |own: &&Path| {
        let mut files = named.iter();
        files.any(|path| same_file(&conflicts_of(path), own))
    };
    let suggestions = match own.filter(|own| !is_list(own)).map(read_suggestions) {
        None => Vec::new(),
        Some(read) => read?,
    };
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    let family = arguments.family.family.as_deref();
    for found in find_corpora(named, Path::new(STDIN), family) {
        let is_description = found.is_description();
        let below = found.below().cloned();
        let path = found.path;
        match found.origin {
            Origin::Named | Origin::Below(_) => {
                if own.is_none_or(|own| !same_file(own, &path)) {
                    files.push((name(&path, below.as_deref()), path));
                }
            }
            Origin::Problem(error) if is_description => {
                wrong.push(format!("{}: {error}", path.display()));
            }
            // Unreadable parts of a folder are listed like unreadable files.
            Origin::Problem(_) if !named.contains(&path) => {
                let folder = named.iter().find(|folder| path.starts_with(folder));
                files.push((name(&path, folder.map(PathBuf::as_path)), path));
            }
            Origin::Stdin => {
                return Err(Stop::at(&path, "standard input cannot be browsed; give file names"));
            }
            Origin::Problem(error) => {
                file_error(&path, &error);
                if named.len() == 1 {
                    return Ok(CommandOutcome::Unusable);
                }
            }
        }
    }
    if let [(_, only), ..] = files.as_slice()
        && !only.exists()
        && let Some(why) = mistyped()
    {
        return Err(Stop::say(why));
    }
    if let [(_, only)] = files.as_slice()
        && let Err(error) = only.metadata()
    {
        file_error(only, &format_args!("cannot be opened: {error}"));
        if let Some(name) = only.to_str().filter(|name| is_subcommand(name)) {
            complain(format_args!("put the options after {name}: turnwise {name} …"));
        }
        return Ok(CommandOutcome::Unusable);
    }
    let opened = Opened { files, suggestions, family: arguments.family.clone(), wrong };
    start(opened, named, &arguments.options, out)
}

/// Opens the program with the review of edits that another command found.
pub fn review(
    paths: &[PathBuf],
    family: &FamilyOption,
    suggestions: Vec<RecordLine>,
    out: &mut Printer,
) -> Ended {
    must_have_screen()?;
    let found = find_corpora(paths, Path::new(STDIN), family.family.as_deref()).into_iter();
    let files = found.filter(FoundPath::is_file).map(|found| {
        let below = found.below().map(AsRef::as_ref);
        (name(&found.path, below), found.path)
    });
    let files = files.collect();
    let opened = Opened { files, suggestions, family: family.clone(), ..Opened::default() };
    start(opened, paths, &Options::default(), out)
}

pub fn run_demo(arguments: &DemoArguments, out: &mut Printer) -> Ended {
    arguments.options.check()?;
    open_demo(&arguments.options, out)
}

/// Opens the demo, and says where changes to it are kept.
fn open_demo(options: &Options, out: &mut Printer) -> Ended {
    let (folder, paths) = demo()?;
    let found = find_files(&paths).into_iter();
    let files = found.filter(FoundPath::is_file);
    let files = files.map(|found| (name(&found.path, Some(folder.path())), found.path));
    let mut files: Vec<_> = files.collect();
    files.sort_by_key(|(_, path)| place_in_demo(folder.path(), path));
    let opened = Opened { files, ..Opened::default() };
    let outcome = start(opened, &paths, options, out)?;
    if is_changed(folder.path()) {
        let kept = folder.keep();
        writeln!(out, "your changes to the demo are in {}", shown(&kept))?;
    }
    Ok(outcome)
}

/// Returns the display name of a file that was found below a folder, or named.
fn name(path: &Path, below: Option<&Path>) -> String {
    name_of(path, below).to_string_lossy().into_owned()
}

/// Adds parent folders to the display names of files until the names differ.
fn tell_apart(files: &mut [(String, PathBuf)]) {
    loop {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::with_capacity(files.len());
        for (file, (name, _)) in files.iter().enumerate() {
            by_name.entry(name).or_default().push(file);
        }
        let of_one_name = by_name.into_values().filter(|several| {
            // A file named twice counts once.
            let mut paths = several[1..].iter().map(|file| &files[*file].1);
            paths.any(|path| *path != files[several[0]].1)
        });
        let longer: Vec<_> = of_one_name
            .flatten()
            .filter_map(|file| Some((file, with_one_more(&files[file].0, &files[file].1)?)))
            .collect();
        if longer.is_empty() {
            return;
        }
        for (file, name) in longer {
            files[file].0 = name;
        }
    }
}

/// Returns the end of a path with one component more than `name`; None if there is none.
fn with_one_more(name: &str, path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let is_name =
        |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    let parts: Vec<_> = path.components().filter(is_name).collect();
    let wanted = Path::new(name).components().count() + 1;
    let end = parts.get(parts.len().checked_sub(wanted)?..)?;
    Some(end.iter().collect::<PathBuf>().display().to_string())
}

fn start(opened: Opened, named: &[PathBuf], options: &Options, out: &mut Printer) -> Ended {
    let family = opened.family;
    let (mut files, suggestions) = (opened.files, opened.suggestions);
    if !has_screen() {
        for why in &opened.wrong {
            complain(format_args!("{why}"));
        }
        return print_all(files, &family, out);
    }
    let user = UserFolders::find();
    let (mut settings, mut wrong) = user.settings();
    wrong.extend(opened.wrong);
    if let Some(theme) = &options.theme {
        settings.theme.clone_from(theme);
    }
    if let Some(keymap) = &options.keymap {
        settings.keymap.clone_from(keymap);
    }
    match (&options.annotator, settings.annotator.is_empty()) {
        (Some(id), _) => settings.annotator.clone_from(id),
        (None, true) => {
            let remembered = user.annotator().filter(|id| may_judge(id).is_ok());
            settings.annotator = remembered.unwrap_or_default();
        }
        (None, false) => {}
    }
    // Reading the rules reports a project file that cannot be used.
    let project = project_settings(named).unwrap_or_default();
    settings.labels.extend(project.labels);
    settings.queries.extend(project.queries);
    settings.list.replace(project.list);
    let guideline = read_guideline(project.guideline, &settings);
    wrong.extend(guideline.as_ref().err().cloned());
    let mut keymap = user.keymap(&settings.keymap).map_err(io::Error::other)?;
    let ascii = ascii_only();
    if ascii.is_some() {
        keymap.names = KeyNames::Words;
    }
    let votes = match options.votes.as_deref().map(std::path::absolute) {
        Some(folder) => folder?,
        None => PathBuf::from(&settings.votes),
    };
    if options.votes.is_some() && votes.exists() && !votes.is_dir() {
        return Err(Stop::at(&votes, "this is not a folder"));
    }
    let scheme = match scheme_of(options.scheme.as_deref(), &files, &keymap) {
        Err(why) if options.scheme.is_some() => return Err(Stop::say(why)),
        scheme => scheme,
    };
    wrong.extend(scheme.as_ref().err().cloned());
    let (assignments, unusable) = read_assignments(files.iter().map(|(_, path)| path.as_path()));
    wrong.extend(unusable);
    let (found, with_conflicts) = look_beside(&mut files, &votes, user.state.as_deref());
    tell_apart(&mut files);
    let (names, paths): (_, Vec<PathBuf>) = files.into_iter().unzip();
    let mut app = App::new(names, keymap, settings);
    app.suggestions = suggestions_of(suggestions, &paths);
    let with_conflicts = with_conflicts.into_iter().map(|at| (at, &paths[at]));
    wrong.extend(add_conflicts(&mut app.suggestions, with_conflicts));
    app.workspace.files.logs.folders = found.folders;
    app.workspace.files.logs.gold_folders = found.gold;
    app.workspace.files.logs.judgements.folders = found.judgements;
    for log in found.logs {
        app.workspace.files.expect_log(log);
    }
    app.judging.guideline = guideline.ok().flatten();
    app.judging.scheme_from = match &scheme {
        Err(_) => SchemeFrom::Nowhere,
        Ok(_) if options.scheme.is_some() => SchemeFrom::Name,
        Ok(_) => SchemeFrom::Corpus,
    };
    app.judging.scheme = scheme.unwrap_or_default();
    app.judging.assignments = Arc::new(assignments);
    app.judging.login = login_name();
    begin_judging(&mut app.judging, options);
    if let Some(session) = user.session(named) {
        session::restore(&mut app, session);
    }
    say_at_start(&mut app, ascii.as_ref(), wrong);
    let root = named.iter().find(|path| path.is_dir()).cloned();
    let rules = reader_of_rules(named.to_vec(), paths.clone());
    let state = user.state.clone();
    let wanted = app.settings.theme.clone();
    let looks = || theme_state(&user, &wanted, ascii.is_some());
    // Saves the position even if the terminal went away, but not before anything was read.
    let remember = |app: &App| {
        if app.panes.transcript.at.is_some() {
            user.remember(named, &session::session(app));
        }
    };
    let folders = named.iter().filter(|path| path.is_dir()).cloned();
    let files =
        BrowsedFiles { paths, root, folders: folders.collect(), votes, family: family.family };
    let end = browse(&mut app, looks, files, state, &remember, rules);
    remember(&app);
    end?;
    Ok(CommandOutcome::Clean)
}

/// Adds the logs beside the files to these. Returns them, and the positions of the files with lists of conflicts.
fn look_beside(
    files: &mut Vec<(String, PathBuf)>,
    votes: &Path,
    state: Option<&Path>,
) -> (FoundLogs, Vec<usize>) {
    // Both look at all folders.
    let (mut found, mut with_conflicts) =
        rayon::join(|| find_logs(files, votes, state), || files_with_conflicts(files));
    let of_logs = files_with_conflicts(&found.files);
    with_conflicts.extend(of_logs.iter().map(|at| files.len() + at));
    files.append(&mut found.files);
    (found, with_conflicts)
}

/// Says that only ASCII is shown, for `ascii` is a variable and its locale; an old name in the keymap; or what is
/// `wrong` in the settings and cannot be used, whichever matters most.
fn say_at_start(app: &mut App, ascii: Option<&(&str, String)>, wrong: Vec<String>) {
    if let Some((variable, locale)) = ascii {
        let message =
            format!("{variable}={locale}: only ASCII is shown; set C.UTF-8 to show all characters");
        app.say(message);
    }
    if let Some((old, command)) = app.input.keymap.old_names.first_key_value() {
        app.say(format!("your keymap calls {} by its old name, {old}", command.name()));
    }
    for why in wrong.into_iter().rev() {
        app.cannot_use(why);
    }
}

/// Returns the name under which the user has logged in, if it can be an annotator's id; otherwise nothing.
fn login_name() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(|name| env::var(name).ok());
    names.into_iter().find(|name| may_judge(name).is_ok()).unwrap_or_default()
}

/// Sets what the options say of judging.
fn begin_judging(judging: &mut Judging, options: &Options) {
    judging.adjudicates = options.adjudicator;
    judging.only.clone_from(&options.annotators);
    if judging.adjudicates {
        judging.wanted = QueueKind::Undecided;
    }
    let is_named = options.annotator.is_some() || options.adjudicator;
    judging.on = is_named || options.votes.is_some() || options.scheme.is_some();
    if options.blind {
        judging.blind = Blind::Always;
    }
}

/// Returns the scheme that is given, or the one beside the first file, or else that of votes on breakdowns.
///
/// # Errors
/// If it cannot be used, or hides a key that is needed while judging.
fn scheme_of(
    given: Option<&str>,
    files: &[(String, PathBuf)],
    keymap: &Keymap,
) -> Result<Arc<Scheme>, String> {
    let test = |key| Some(keymap.needed_to_judge(key)?.doc());
    let scheme = match (given, files.first()) {
        (Some(given), _) => scheme_named(given, Some(&test))?,
        (None, Some((_, first))) => scheme_beside(first, Some(&test))?.unwrap_or_default(),
        (None, None) => Scheme::default(),
    };
    Ok(Arc::new(if scheme.kept == Kept::Votes { Scheme::default() } else { scheme }))
}

/// Reads the guideline that the project names, or else the settings.
///
/// # Errors
/// If it cannot be read; the message names it and the reason.
fn read_guideline(
    of_project: Option<PathBuf>,
    settings: &Settings,
) -> Result<Option<Guideline>, String> {
    let own = Some(&settings.guideline).filter(|own| !own.is_empty());
    let Some(path) = of_project.or(own.map(PathBuf::from)) else {
        return Ok(None);
    };
    let text = read_side_text(&path, LARGEST_SETTINGS);
    let text = text.map_err(|error| format!("the guideline {}: {error}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(Guideline { name: name.into_owned(), text }))
}

/// True if there is a terminal that can show the program.
pub fn has_screen() -> bool {
    // One that cannot move its cursor cannot.
    io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns a function that reads the lint settings for the files at `paths`, which come from `named`, as
/// `lint` does. If they cannot be used, it falls back to the defaults and reports the reason.
fn reader_of_rules(
    named: Vec<PathBuf>,
    paths: Vec<PathBuf>,
) -> impl FnOnce() -> (LintContext, Option<String>) {
    move || {
        let matched = matched_paths(&paths);
        let (linter, complaint) =
            match RuleOptions::default().read(&named, &paths, ExcludedOption::default()) {
                Ok(linter) => (linter, None),
                Err(error) => (Linter::default(), Some(error)),
            };
        let rules = LintContext { linter, paths: matched, ..LintContext::default() };
        (rules, complaint)
    }
}

/// Without a terminal, prints all dialogs, as a pager does.
fn print_all(files: Vec<(String, PathBuf)>, family: &FamilyOption, out: &mut Printer) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    for (_, path) in files {
        outcome = outcome
            .max(super::show::run(&super::show::Arguments::all_of(path, family.clone()), out)?);
    }
    Ok(outcome)
}

/// Returns the appearance of the screen with the theme that `wanted` means here.
fn theme_state<'u>(user: &'u UserFolders, wanted: &str, ascii: bool) -> io::Result<ThemeState<'u>> {
    let (name, colours) = (choose_theme(wanted), colours());
    Ok(ThemeState {
        theme: user.theme(&name, colours).map_err(io::Error::other)?,
        next: Box::new(move |name| user.theme_after(name, colours).map_err(|e| e.to_string())),
        name,
        ascii,
    })
}

/// Returns the name of the theme that `wanted` means here: some themes have a variant for light backgrounds.
fn choose_theme(wanted: &str) -> String {
    let (dark, light) = match wanted {
        // Most of what the other themes show by colours alone would be lost.
        _ if is_set("NO_COLOR") && (wanted == AUTO || is_built_in(wanted)) => {
            return "monochrome".to_owned();
        }
        AUTO => ("dark", "light"),
        "colour-blind-safe" => ("colour-blind-safe", "colour-blind-safe-light"),
        _ => return wanted.to_owned(),
    };
    // A remote terminal may take longer; its late answer is recognized when it arrives.
    let mut options = QueryOptions::default();
    options.timeout = Duration::from_millis(400);
    let name = if let Ok(ThemeMode::Light) = theme_mode(options) { light } else { dark };
    name.to_owned()
}

fn is_built_in(theme: &str) -> bool {
    THEMES.iter().any(|(name, _)| *name == theme)
}

/// Returns the colours of this terminal, as far as environment variables show.
fn colours() -> Colours {
    let is = |name: &str, wanted: &[&str]| {
        let value = env::var(name).unwrap_or_default();
        wanted.iter().any(|wanted| value.contains(wanted))
    };
    if is_set("NO_COLOR") {
        Colours::None
    } else if is("COLORTERM", &["truecolor", "24bit"])
        || is("TERM", &["direct", "kitty", "alacritty", "ghostty"])
    {
        Colours::True
    } else if is("TERM", &["256"]) {
        Colours::Indexed256
    } else {
        Colours::Basic16
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns the locale variable that rules out characters beyond ASCII, and its value. An unset locale is
/// ignored: it usually means a container.
fn ascii_only() -> Option<(&'static str, String)> {
    let set = |name| Some((name, env::var(name).ok().filter(|v| !v.is_empty())?));
    let (name, locale) = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set)?;
    let small = locale.to_lowercase();
    (!small.contains("utf-8") && !small.contains("utf8")).then_some((name, locale))
}

/// Reads the suggestions of a file.
///
/// # Errors
/// If they cannot be reviewed.
fn read_suggestions(path: &Path) -> Result<Vec<RecordLine>, Stop> {
    if path == Path::new(STDIN) {
        let why = "turnwise reads keys from standard input; name a file of suggestions";
        return Err(Stop::at(path, why));
    }
    let records = read_records(path)?;
    if records.is_empty() {
        file_error(path, &"there are no suggestions");
        return Err(CommandOutcome::Issues.into());
    }
    must_have_screen()?;
    Ok(records)
}

/// Checks that suggestions can be reviewed.
///
/// # Errors
/// If there is no terminal to do that on.
fn must_have_screen() -> Result<(), Stop> {
    let why = "reviewing suggestions needs a terminal; `turnwise apply` applies them all";
    has_screen().then_some(()).ok_or(why).or_stop()
}

/// Returns the suggestions, each with the files among `paths` that it may be for.
fn suggestions_of(records: Vec<RecordLine>, paths: &[PathBuf]) -> Review {
    let mut meant: HashMap<String, Vec<u32>> = HashMap::new();
    let all = records.into_iter().map(|RecordLine { number, record }| {
        let files = record.file.as_ref().map(|file| {
            let of_name = |file: &String| {
                let paths = (0..).zip(paths);
                let named = paths.filter(|(_, path)| names(file, path));
                named.map(|(number, _)| number).collect()
            };
            if !meant.contains_key(file) {
                meant.insert(file.clone(), of_name(file));
            }
            meant[file].clone()
        });
        Proposed::new(number, record, files)
    });
    Review::new(all.collect())
}
