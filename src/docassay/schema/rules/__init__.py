"""Rules: what must hold inside one document, checked on gold and pred without comparing them."""
