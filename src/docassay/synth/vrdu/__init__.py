"""Generated data sets in the layout of VRDU."""
