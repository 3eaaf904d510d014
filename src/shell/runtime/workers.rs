//! Runs many jobs on a few threads: one thread per file would be too many for 20,000 files.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// A thread pool that runs jobs in the order in which they are given.
#[derive(Clone)]
pub struct Workers {
    to: Sender<Job>,
}

impl Workers {
    /// Starts `threads` threads.
    pub fn start(threads: usize) -> Self {
        let (to, from) = channel();
        let from = Arc::new(Mutex::new(from));
        for _ in 0..threads {
            let from = Arc::clone(&from);
            thread::spawn(move || while next(&from).map(|job| job()).is_some() {});
        }
        Self { to }
    }

    /// Runs a job as soon as a thread is free.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        // The threads live as long as there are senders of jobs.
        let _ = self.to.send(Box::new(job));
    }
}

/// Returns the next job; None when there are no more.
fn next(from: &Mutex<Receiver<Job>>) -> Option<Job> {
    let from = from.lock().unwrap_or_else(PoisonError::into_inner);
    from.recv().ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn few_threads_do_many_jobs() {
        let workers = Workers::start(2);
        let (to, from) = channel();
        for number in 0..1_000 {
            let to = to.clone();
            workers.run(move || to.send((number, thread::current().id())).unwrap());
        }
        drop(to);
        let (mut numbers, threads): (Vec<_>, HashSet<_>) = from.iter().unzip();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..1_000).collect::<Vec<_>>());
        assert!(threads.len() <= 2);
    }
}
