"""What DTrace and SystemTap have in common: a script prints histograms, and text of its own around them."""
