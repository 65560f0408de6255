"""A connection to Oracle Database: where it goes, who logs in, and what its errors mean."""
