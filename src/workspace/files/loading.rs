//! Takes over files while they are read in the background.
//!
//! The shell reads them; this module does no I/O.

use std::sync::Arc;

use super::{Files, LoadState, Outdated};
use crate::corpus::{Bytes, CorpusFile, Index};
use crate::json::Piece;

impl Files {
    pub fn opened(&mut self, file: usize, bytes: Bytes, index: Index, complete: bool) {
        let index = self.index_of_kind(file, index);
        self.change(file, |open| {
            let read = index.pieces.last().map_or(0, |piece| piece.end);
            open.summaries.clear();
            open.summaries.resize(index.pieces.len(), None);
            (open.outdated, open.gone) = (Outdated::No, false);
            open.left.offered = None;
            open.corpus = Some(Arc::new(CorpusFile::new(bytes, index)));
            open.state = LoadState::Reading { read };
            if complete {
                open.settle();
            }
        });
        if complete {
            self.register_log(file);
        }
    }

    pub fn found_more(&mut self, file: usize, pieces: Vec<Piece>, now: u64) {
        if let Some(open) = self.files.get_mut(file)
            && let Some(corpus) = &mut open.corpus
        {
            let corpus = Arc::make_mut(corpus);
            corpus.add_pieces(pieces);
            open.summaries.resize(corpus.index().pieces.len(), None);
            open.state = LoadState::Reading { read: now };
        }
    }

    pub fn complete(&mut self, file: usize, index: Index) {
        let index = self.index_of_kind(file, index);
        let read = self.change(file, |open| {
            let Some(corpus) = &mut open.corpus else {
                return false;
            };
            if corpus.index().pieces.get(..open.summaries.len())
                != index.pieces.get(..open.summaries.len())
            {
                open.summaries.clear();
            }
            open.summaries.resize(index.pieces.len(), None);
            Arc::make_mut(corpus).set_index(index);
            open.settle();
            true
        });
        if read == Some(true) {
            self.register_log(file);
        }
    }

    pub fn failed(&mut self, file: usize, reason: String) {
        self.change(file, |open| open.state = LoadState::Failed(reason));
    }
}
