"""One turn of a conversation: receiving, answering, folding beside it."""
