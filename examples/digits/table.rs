//! The course of training as a table.

use crate::images::Task;
use crate::phase::{Phase, accuracy};

/// After each phase: the share of held-out images of each task that are read, and how far each
/// layer has moved.
pub(crate) fn print(phases: &[Phase], tasks: [&Task; 2]) {
    let paths = phases.first().map(|phase| phase.before.paths());
    let heading = |name: &str| format!("{name:>11}");
    let layers: String = paths
        .into_iter()
        .flatten()
        .map(|path| heading(&path))
        .collect();
    let [first, second] = tasks.map(|task| heading(task.name));
    println!("{:<24}{:>22}{:>33}", "", "held-out accuracy", "movement");
    println!("{:<10}{:<14}{first}{second}{layers}", "task", "phase");
    for phase in phases {
        let read = tasks.map(|task| accuracy(&phase.after, &task.held_out));
        let read = read.map(|share| format!("{:>9.1} %", 100.0 * share));
        print!("{:<10}{:<14}{}", phase.task, phase.name, read.concat());
        let movement = phase.epochs.last().map(|epoch| &epoch.movement);
        for (norm, trains) in movement.into_iter().flatten().zip(&phase.trains) {
            print!("{norm:>11.*}", if *trains { 3 } else { 0 });
        }
        println!();
    }
}
