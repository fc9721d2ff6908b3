"""The notation map: what the symbols of a paper mean, read from TOML with the place of every entry."""
