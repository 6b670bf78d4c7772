"""From files to trees to pairs of gold and pred."""
