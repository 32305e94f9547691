"""The verifier: whether a specification, a plan, an implementation and a commit are sufficient, and why not.

No model is asked. Each check is a value with an identifier, what it looks at and a function (`Check`);
those of a gate point stand in the module of its name. What could not be looked at is never sufficient.
"""
