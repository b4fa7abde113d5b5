"""Answers by rule: comparisons of two named things, and paths of stated relations."""
