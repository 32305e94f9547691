"""GTL604 assertion-loosened: An assertion accepts more than before."""

CODE = "GTL604"
