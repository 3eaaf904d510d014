//! The folders of the open files, as a tree for the dialog list.

use std::collections::HashMap;

/// A folder that holds files or several folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its name below the folder around it; of several levels if those hold nothing else.
    pub name: String,
    /// Position of the folder around it.
    pub parent: Option<u32>,
    /// The number of folders around it.
    pub depth: u16,
}

/// The folders of files. Empty if all files are in one folder.
#[derive(Clone, Debug, Default)]
pub struct FolderTree {
    pub all: Vec<Folder>,
    /// The folder of each file.
    of_file: Vec<Option<u32>>,
}

/// A folder while the tree is built.
struct Node {
    name: String,
    parent: Option<usize>,
    folders: u32,
    has_files: bool,
}

impl FolderTree {
    /// Builds the tree from the names of files, which are paths.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
        let mut of_file = Vec::new();
        for name in names {
            let mut folder = None;
            let levels = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            for level in levels.split('/').filter(|level| !level.is_empty()) {
                let next = nodes.len();
                let at = *known.entry((folder, level)).or_insert(next);
                if at == next {
                    if let Some(around) = folder {
                        let around: &mut Node = &mut nodes[around];
                        around.folders += 1;
                    }
                    nodes.push(Node {
                        name: level.to_owned(),
                        parent: folder,
                        folders: 0,
                        has_files: false,
                    });
                }
                folder = Some(at);
            }
            if let Some(folder) = folder {
                nodes[folder].has_files = true;
            }
            of_file.push(folder);
        }
        let first = of_file.first().copied().flatten();
        if of_file.iter().all(|folder| *folder == first) {
            return Self::default();
        }
        Self::joined(nodes, &of_file)
    }

    /// Joins folders that hold one folder and nothing else to it.
    fn joined(nodes: Vec<Node>, of_file: &[Option<usize>]) -> Self {
        let mut all: Vec<Folder> = Vec::new();
        // The position of each node among the folders, and the names of joined nodes before it.
        let mut places: Vec<(Option<u32>, String)> = Vec::new();
        for node in nodes {
            let (parent, before) = match node.parent {
                Some(parent) => places[parent].clone(),
                None => (None, String::new()),
            };
            let name = format!("{before}{}", node.name);
            if node.folders == 1 && !node.has_files {
                places.push((parent, format!("{name}/")));
                continue;
            }
            let depth = parent.map_or(0, |parent| all[parent as usize].depth + 1);
            places.push((Some(all.len() as u32), String::new()));
            all.push(Folder { name, parent, depth });
        }
        let place = |folder: &Option<usize>| places[(*folder)?].0;
        Self { of_file: of_file.iter().map(place).collect(), all }
    }

    /// Returns the folder of a file.
    pub fn of(&self, file: u32) -> Option<u32> {
        self.of_file.get(file as usize).copied().flatten()
    }

    /// Returns the position of a folder in tables that begin with an entry for files in no folder.
    pub fn slot(folder: Option<u32>) -> usize {
        folder.map_or(0, |folder| folder as usize + 1)
    }

    /// Returns the folders around a file, the outermost first.
    pub fn around(&self, file: u32) -> Vec<u32> {
        let parent = |folder: &u32| self.all[*folder as usize].parent;
        let mut around: Vec<_> = std::iter::successors(self.of(file), parent).collect();
        around.reverse();
        around
    }

    /// Returns whether a folder is `other` or somewhere in it.
    pub fn is_in(&self, folder: u32, other: u32) -> bool {
        let parent = |folder: &u32| self.all[*folder as usize].parent;
        std::iter::successors(Some(folder), parent).any(|folder| folder == other)
    }
}
