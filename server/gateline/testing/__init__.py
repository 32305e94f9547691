"""What is known of a project's tests: results, what each executes, which a change affects. Pure."""
