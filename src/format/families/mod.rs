//! The families in Rust, and what several of them share.

pub mod chat;
pub mod dataset_info;
pub mod dbdc_labels;
pub mod dbdc_log;
pub mod gold;
pub mod homes;
pub mod message_parts;
pub mod messages;
pub mod new_message;
pub mod sharegpt;
pub mod taskmaster;
pub mod taskmaster_1_to_3;
pub mod taskmaster_4;
