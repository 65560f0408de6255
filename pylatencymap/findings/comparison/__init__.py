"""What two sides of a comparison differ in, in words: verdicts, tables, pages."""
