"""claimdex turns the papers of a conference into an index of testable claims."""
