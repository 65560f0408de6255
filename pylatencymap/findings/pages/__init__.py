"""The pages of a report: text for a screen, Markdown, JSON."""
