"""What stops a request; the message names the thing, the value and the next step."""


class UsageError(Exception):
    """The person asked for something that cannot be done as asked."""


class UndecidedError(Exception):
    """What a decision needs is not there; nothing was judged."""
