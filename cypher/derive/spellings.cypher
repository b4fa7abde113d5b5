// How often each spelling of these entities occurs, and how many passages mention them.
// Parameters: $ids (entity ids).
// Columns: id, spellings, counts (of the same length), passages; no row for an entity that is not there.
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})
USING INDEX SEEK e:HoptrailEntity(id)
RETURN e.id AS id, [e.name] + e.aliases AS spellings, e.counts AS counts, e.passages AS passages
