"""Builds servers, puts them to work and judges what they did: the examples, and programs of other people."""
