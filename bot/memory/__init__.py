"""Pure memory logic: what is sent to the model, what is folded when, and which summaries are accepted."""
