// Entities by words of their names and aliases, with or without accents.
// Parameters: none.
// Columns: none.
CREATE FULLTEXT INDEX hoptrail_entity_name IF NOT EXISTS FOR (e:HoptrailEntity) ON EACH [e.name, e.aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
