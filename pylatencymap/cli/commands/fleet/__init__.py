"""Commands about many hosts: a Prometheus server as a source, a source for Prometheus, streams of many hosts."""
