"""Many papers: sources, supervised child processes, the journal, the run."""
