"""Types and declarations of the gateline/* methods."""
