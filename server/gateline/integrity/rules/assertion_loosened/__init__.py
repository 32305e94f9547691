"""GTL604 assertion-loosened: An assertion lets more pass than before."""

CODE = "GTL604"
