"""Programs under the oracle: small ones, random ones, real servers."""
