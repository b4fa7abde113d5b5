// How often each spelling of these entities occurs, and how many passages mention them.
// Parameters: $ids (entity ids).
// Columns: found (list of [id, spellings, counts (of the same length), passages]; nothing for an entity that is not there;
// one row, as a driver takes longer over rows).
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})
USING INDEX SEEK e:HoptrailEntity(id)
RETURN collect([e.id, [e.name] + e.aliases, e.counts, e.passages]) AS found
