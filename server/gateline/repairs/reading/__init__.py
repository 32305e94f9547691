"""Looking at code that parses: its nodes, the names in scope, what expressions hold, what messages say."""
