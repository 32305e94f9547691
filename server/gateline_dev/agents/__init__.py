"""The agents' door, measured and tried: the SDK's own client over standard input and output."""
