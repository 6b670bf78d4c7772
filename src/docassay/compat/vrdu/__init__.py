"""The released VRDU toolkit."""
