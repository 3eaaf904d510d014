mod backend;
mod compressed;
mod demo;
mod journal_log;
mod journal_writer;
mod open_files;
