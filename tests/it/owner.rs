//! Owner, group, mode and access list of a corpus: kept, or reported before they are lost.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::process::geteuid;
use turnwise::dialog::Edit;
use turnwise::format::Formats;
use turnwise::shell::{Content, Fs, OpenedFile, OwnerChange, RealFs, Save, SaveError, open};

use crate::save::{FaultFs, save};
use crate::support::{CORPUS, Ran, TempDir, project, scratch};

const NOBODY: u32 = 65534;
const ACCESS_LIST: &str = "system.posix_acl_access";

/// The file system of a user who may not give files away.
fn strict() -> FaultFs {
    FaultFs::giving(|user, group| user.is_none() && group.is_none())
}

/// The same, but the user may give files to a group of their own.
fn of_group_2345() -> FaultFs {
    FaultFs::giving(|user, group| user.is_none() && group == Some(2345))
}

/// A corpus of another user, and an edit to save in it. If this user cannot create one, prints the reason
/// and returns None.
fn of_another(user: u32, group: u32, mode: u32) -> Option<(TempDir, OpenedFile)> {
    if !geteuid().is_root() {
        eprintln!("skipped: only root can make a file of another user");
        return None;
    }
    let folder = scratch();
    let path = folder.path().join("data.json");
    fs::write(&path, CORPUS).unwrap();
    chown(&path, Some(user), Some(group)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    let mut opened = open(&path, &Formats::default(), true).unwrap();
    let edit = Edit::RemoveSegment { turn: 0, segment: 0 };
    opened.file.edit(0, &edit).unwrap();
    Some((folder, opened))
}

/// Owner, group and mode.
fn access(path: &Path) -> (u32, u32, u32) {
    let metadata = path.metadata().unwrap();
    (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
}

fn refused(fs: &dyn Fs, opened: &OpenedFile) -> String {
    match save(fs, opened) {
        Err(error @ SaveError::AccessLoss(_)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_owner_that_the_system_allows_is_kept() {
    let Some((_folder, opened)) = of_another(1234, 2345, 0o2664) else {
        return;
    };
    save(&RealFs, &opened).unwrap();
    assert_eq!(access(&opened.path), (1234, 2345, 0o2664));
}

#[test]
fn an_owner_that_cannot_be_kept_is_reported_and_nothing_is_written() {
    let Some((folder, opened)) = of_another(1234, 2345, 0o6664) else {
        return;
    };
    let told = refused(&strict(), &opened);
    assert_eq!(
        told,
        "the file's owner (user 1234), group (2345) and mode cannot be kept; nothing was written"
    );
    let told = refused(&of_group_2345(), &opened);
    assert!(told.contains("owner (user 1234) and mode cannot"), "{told}");
    assert_eq!(fs::read_to_string(&opened.path).unwrap(), CORPUS);
    assert_eq!(access(&opened.path), (1234, 2345, 0o6664));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // Rights of another owner and another group are not given to this one and its.
    let save = Save { change: OwnerChange::Allow, ..Save::of(&opened) };
    save.put(&strict(), Content::Corpus(&opened.file)).unwrap();
    let (user, group) = (geteuid().as_raw(), rustix::process::getegid().as_raw());
    assert_eq!(access(&opened.path), (user, group, 0o664));
}

#[test]
fn a_group_of_ones_own_is_kept_where_the_owner_is_ones_own() {
    let me = geteuid().as_raw();
    let Some((_folder, opened)) = of_another(me, 2345, 0o640) else {
        return;
    };
    let told = refused(&strict(), &opened);
    assert!(told.contains("the file's group (2345) cannot"), "{told}");
    save(&of_group_2345(), &opened).unwrap();
    assert_eq!(access(&opened.path), (me, 2345, 0o640));
}

/// Rights of single users: version 2; the owner, user 1234, the group, the mask, others.
fn access_list() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 6, 1234), (4, 4, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

#[test]
fn an_access_list_is_kept_and_that_of_the_folder_is_not_taken() {
    let me = geteuid().as_raw();
    for listed in [true, false] {
        let Some((folder, opened)) = of_another(me, 0, 0o660) else {
            return;
        };
        let (path, list) = (opened.path.clone(), access_list());
        let of_folder = "system.posix_acl_default";
        if setxattr(folder.path(), of_folder, &list, XattrFlags::empty()).is_err() {
            eprintln!("skipped: there are no access lists in this file system");
            return;
        }
        if listed {
            setxattr(&path, ACCESS_LIST, &list, XattrFlags::empty()).unwrap();
        }
        save(&RealFs, &opened).unwrap();
        let mut kept = vec![0; 100];
        let kept =
            getxattr(&path, ACCESS_LIST, kept.as_mut_slice()).map(|length| kept[..length].to_vec());
        assert_eq!(kept.ok(), listed.then_some(list));
        assert_eq!(access(&path), (me, 0, 0o660));
    }
}

/// Runs the program as the user `nobody` in a folder open to all, with a corpus of root's that all may write.
fn as_nobody(folder: &Path, arguments: &[&str]) -> Ran {
    let program = folder.join("program");
    if !program.exists() {
        // A copy made in this process could not be run while another test starts a program.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_turnwise")).arg(&program).status();
        assert!(copied.unwrap().success());
    }
    let ran = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .uid(NOBODY)
        .gid(NOBODY)
        .output();
    ran.unwrap().into()
}

#[test]
fn commands_change_the_owner_only_with_the_option() {
    if !geteuid().is_root() {
        eprintln!("skipped: only root can be nobody");
        return;
    }
    let edit = r#"{"edit":"remove_segment","dialog":0,"turn":3,"segment":0}"#;
    for command in [&["fix", "data.json"][..], &["apply", "edits", "data.json"]] {
        let folder = scratch();
        let set_mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        set_mode(folder.path(), 0o777);
        let path = folder.path().join("data.json");
        fs::copy(project("assets/demo/taskmaster-1.json"), &path).unwrap();
        set_mode(&path, 0o666);
        fs::write(folder.path().join("edits"), edit).unwrap();
        let before = fs::read(&path).unwrap();
        let ran = as_nobody(folder.path(), command);
        assert_eq!(ran.code, 2, "{ran:?}");
        let why = "data.json: the file's owner (user 0) and group (0) cannot be kept; nothing was \
                   written; use --change-owner to save it anyway";
        assert!(ran.err.contains(why), "{ran:?}");
        assert!(fs::read(&path).unwrap() == before && access(&path) == (0, 0, 0o666));
        let ran = as_nobody(folder.path(), &[command, &["--change-owner"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        assert_ne!(fs::read(&path).unwrap(), before);
        assert_eq!(access(&path), (NOBODY, NOBODY, 0o666));
    }
}
