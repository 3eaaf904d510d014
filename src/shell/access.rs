//! Owner, group, mode and access list of a file, kept by the one that replaces it as far as the system
//! allows that.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

/// What a file has that the one that replaces it would not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessLoss {
    /// The user it belongs to.
    pub owner: Option<u32>,
    pub group: Option<u32>,
    /// Some of its permissions, such as the setuid bit.
    pub mode: bool,
    /// Permissions of single users or groups.
    pub access_list: bool,
}

impl AccessLoss {
    /// True if there is nothing such.
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

/// Whether a file is replaced by one that has not all of its owner, group, mode and access list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerChange {
    Refuse,
    Allow,
}

/// Gives `file` what the file at `path` has; what of it could not be given. `give` gives it to a user, a
/// group, or both.
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
        // Only root gives files away; everybody gives them to groups of their own.
        loss.owner = (user != new.uid()).then_some(user);
        let other = group != new.gid() && give(None, Some(group)).is_err();
        loss.group = other.then_some(group);
    }
    let mut mode = old.mode() & 0o7777;
    // These are rights of the owner and the group, and of nobody else.
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

/// Gives `file` the access list of the file at `path`, and takes away what its folder gave it; false if it
/// has not got it.
#[cfg(target_os = "linux")]
fn keep_access_list(file: &File, path: &Path) -> bool {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;
    const NAME: &str = "system.posix_acl_access";
    /// The longest attribute that there can be.
    const LONGEST: usize = 1 << 16;
    let mut list = vec![0; LONGEST];
    match getxattr(path, NAME, list.as_mut_slice()) {
        Ok(length) => fsetxattr(file, NAME, &list[..length], XattrFlags::empty()).is_ok(),
        Err(Errno::NODATA) => matches!(
            fremovexattr(file, NAME),
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP)
        ),
        // The file system knows no such thing.
        Err(_) => true,
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn keep_access_list(_: &File, _: &Path) -> bool {
    true
}
