"""What runs in the interpreter of a corpus, which has nothing of ours."""
