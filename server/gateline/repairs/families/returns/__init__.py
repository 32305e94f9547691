"""A function gives nothing, too little, or something else than its callers take."""
