"""The few-shot tables of VRDU."""
