"""What tests verify: collection, parameters, an interpreter of their statements, assertions, doubles."""
