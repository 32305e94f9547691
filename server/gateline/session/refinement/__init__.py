"""The refinement loop: agents work in a scratch work tree, and gateline's own check judges each round."""
