"""Generators and checks for those who develop gateline; not shipped."""
