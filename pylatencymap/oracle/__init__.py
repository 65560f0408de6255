"""Wait events of Oracle Database: found, sampled through restarts and losses, and made records of."""
