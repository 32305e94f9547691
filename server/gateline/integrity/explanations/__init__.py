"""Why a test may honestly check less: each module tells one reason."""
