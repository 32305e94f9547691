"""GTL614 placeholder-body: A function does nothing yet, or any more."""

CODE = "GTL614"
