"""What the papers say of scaling, beside what the model says: one module per paper."""
