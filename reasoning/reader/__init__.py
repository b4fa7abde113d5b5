"""The reader without a language model: rules, a light scorer, a calibrator."""
