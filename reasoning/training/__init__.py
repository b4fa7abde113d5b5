"""Fitting to questions with known answers: GNN-Ret, the ranker, the reader."""
