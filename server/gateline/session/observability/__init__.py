"""What is observed of gateline itself: counters and histograms, spans, a page about it. Local, on request."""
