"""Comparisons of published scaling results with the model, one module per paper."""
