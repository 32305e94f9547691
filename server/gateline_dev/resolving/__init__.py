"""How often context knows which definition a name means, and who calls it; and how long that takes."""
