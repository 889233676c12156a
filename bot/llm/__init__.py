"""Language models: OpenAI's and compatible ones over the SDK, and the built-in one."""
