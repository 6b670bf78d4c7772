"""Numbers and names of other tools, one package a tool."""
