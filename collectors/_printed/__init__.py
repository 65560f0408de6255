"""Shared by the collectors of DTrace and SystemTap, whose scripts print histograms between text of their own."""
