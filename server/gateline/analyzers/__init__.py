"""One file per analyzer; each looks at one document and reports."""
