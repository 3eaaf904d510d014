//! Copies the owner, group, mode and access list of a file to its replacement, as far as the system
//! allows.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

/// The permissions of a file that its replacement would lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessLoss {
    /// The user who owns it.
    pub owner: Option<u32>,
    pub group: Option<u32>,
    /// Some of its permissions, such as the setuid bit.
    pub mode: bool,
    /// Permissions of single users or groups.
    pub access_list: bool,
}

impl AccessLoss {
    /// Returns true if nothing is lost.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for AccessLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            self.owner.map(|user| format!("owner (user {user})")),
            self.group.map(|group| format!("group ({group})")),
            self.mode.then(|| "mode".to_owned()),
            self.access_list.then(|| "access list".to_owned()),
        ];
        let all: Vec<_> = all.into_iter().flatten().collect();
        match all.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => Ok(()),
        }
    }
}

/// Whether a file may be replaced by one that loses some of its owner, group, mode and access list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerChange {
    Refuse,
    Allow,
}

/// Gives `file` the permissions of the file at `path`, and returns those that could not be copied.
/// `give` sets the owner, the group, or both.
///
/// # Errors
/// If the permissions cannot be set.
#[cfg(unix)]
pub fn imitate(
    file: &File,
    path: &Path,
    give: &dyn Fn(Option<u32>, Option<u32>) -> io::Result<()>,
) -> io::Result<AccessLoss> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let (old, new) = (path.metadata()?, file.metadata()?);
    let (user, group) = (old.uid(), old.gid());
    let mut loss = AccessLoss::default();
    if (user, group) != (new.uid(), new.gid()) && give(Some(user), Some(group)).is_err() {
        // Only root can give files away; other users can set only groups they belong to.
        loss.owner = (user != new.uid()).then_some(user);
        let other = group != new.gid() && give(None, Some(group)).is_err();
        loss.group = other.then_some(group);
    }
    let mut mode = old.mode() & 0o7777;
    // Setuid and setgid are rights of the old owner and group only.
    if loss.owner.is_some() {
        mode &= !0o4000;
    }
    if loss.group.is_some() {
        mode &= !0o2000;
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    loss.access_list = !keep_access_list(file, path);
    loss.mode = (file.metadata()?.mode() ^ old.mode()) & 0o7777 != 0;
    Ok(loss)
}

#[cfg(not(unix))]
pub fn imitate(
    file: &File,
    path: &Path,
    _: &dyn Fn(Option<u32>, Option<u32>) -> io::Result<()>,
) -> io::Result<AccessLoss> {
    file.set_permissions(path.metadata()?.permissions())?;
    Ok(AccessLoss::default())
}

/// Takes all rights to `file` from those who may not read the file at `path`. The user keeps their own.
///
/// # Errors
/// If the permissions cannot be read or set.
#[cfg(unix)]
pub fn restrict(file: &File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let (given, new) = (path.metadata()?, file.metadata()?);
    let mut mode = given.mode() & 0o777;
    if given.gid() != new.gid() {
        // To the other file, people of this group are like all others.
        mode &= 0o707 | (mode & 0o007) << 3;
    }
    // Those who may read it keep their other rights: several people may write votes on one corpus.
    let readers = (mode & 0o444) >> 2;
    let mode = new.mode() & ((readers * 7) | 0o600);
    if mode == new.mode() & 0o777 {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as above")]
pub fn restrict(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Copies the access list of the file at `path` to `file`, replacing what `file` inherited from its
/// folder. Returns false if that fails.
#[cfg(target_os = "linux")]
fn keep_access_list(file: &File, path: &Path) -> bool {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;
    const NAME: &str = "system.posix_acl_access";
    /// Longest possible attribute value, in bytes.
    const LONGEST: usize = 1 << 16;
    let mut list = vec![0; LONGEST];
    match getxattr(path, NAME, list.as_mut_slice()) {
        Ok(length) => fsetxattr(file, NAME, &list[..length], XattrFlags::empty()).is_ok(),
        Err(Errno::NODATA) => {
            matches!(fremovexattr(file, NAME), Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP))
        }
        // This file system has no access lists.
        Err(_) => true,
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn keep_access_list(_: &File, _: &Path) -> bool {
    true
}
