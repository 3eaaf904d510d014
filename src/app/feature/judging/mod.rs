//! Judging: votes, the queue, adjudication.

pub mod adjudicate;
pub mod annotator_prompt;
pub mod answer_keys;
pub mod answer_prompt;
pub mod answering;
pub mod answers_tab;
pub mod codes;
pub mod codes_tab;
pub mod guideline;
pub mod judge;
pub mod judgements_tab;
pub mod leading;
pub mod note_prompt;
pub mod question_menu;
pub mod queue;
pub mod sample_prompt;
pub mod votes_tab;
