// Whether anything is stated of any item.
// Parameters: none.
// Columns: stated.
RETURN EXISTS { (:HoptrailClaim) } AS stated
