"""The page of `gateline report`: one HTML file without anything from elsewhere."""
