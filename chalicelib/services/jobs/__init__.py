"""Long work in steps of at most half a minute: each step's conditional write is the record that wakes the next."""
