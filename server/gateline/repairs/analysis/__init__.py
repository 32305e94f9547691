"""What code that parses says: scopes, types, data flow, signatures, bug patterns."""
