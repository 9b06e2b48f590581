"""Gold annotations, matching, metrics and reports, for claims from anywhere."""
