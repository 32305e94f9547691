"""GTL634 check-made-optional: A check is not called any more, or may fail."""

CODE = "GTL634"
