// What has items as its value.
// Parameters: $ids (QIDs), $names (of properties).
// Columns: held (the values, in the order of $names).
UNWIND $ids AS id
MATCH (v:HoptrailItem {id: id})<-[:VALUE]-(c:HoptrailClaim)
USING INDEX SEEK v:HoptrailItem(id)
RETURN [name IN $names | c[name]] AS held
