"""What replies of language models mean, however they are written.

Prompts ask for one form, models reply in many: with thoughts before the answer, in Markdown, with a
heading echoed, in other brackets, after "Sure!". All methods read replies by these functions. A
reply that names no answer has none: it is never taken for one.
"""
