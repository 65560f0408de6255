"""What collectors of metrics share: what a metric measures, and how its histograms are named."""
