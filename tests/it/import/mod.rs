//! `turnwise import`: round trips of what is exported. `tests/cases/cli/import.md` shows the command.

mod exchanged;
mod round_trips;
