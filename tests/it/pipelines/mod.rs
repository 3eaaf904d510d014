//! turnwise as a part of pipelines: sums of parts, ids, other programs. `tests/cases/cli/pipes.md` shows its filters.

mod ids;
mod input;
mod parts;
mod peers;
