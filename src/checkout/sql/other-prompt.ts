import type { Database } from "../../ledger/database"

const OTHER = `
  select o.id from mp_operation_search s join mp_operation o on o.id = s.operation_id
   where s.words @@ $1::tsquery
     and o.type = 'COLLECTION' and o.flow = 'push' and o.state in ('submitted', 'in_flight')
     and o.id <> $2
   limit 1`

/** @param phoneWord of the number, as payments are found by it */
export async function hasOtherPrompt(
  database: Database,
  phoneWord: string,
  operationId: string,
): Promise<boolean> {
  return (await database.query(OTHER, [`'${phoneWord}'`, operationId])).length > 0
}
