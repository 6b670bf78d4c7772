"""Generated documents with predictions by imperfect models, and why each value differs."""
