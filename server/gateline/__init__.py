"""gateline: says, while Python code is being changed, whether the change is on track."""

__version__ = "0.1.0"
