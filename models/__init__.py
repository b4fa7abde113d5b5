"""Encoders and language pipelines, loaded when first used."""
