"""Programs of others that run on Weft unchanged: each with its own library and with Weft, and docs/clients.md."""
