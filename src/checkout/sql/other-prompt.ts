import type { OperationId } from "../../core/ids"
import type { Database } from "../../ledger/database"
import { ASKING_PHONE } from "../../ledger/flow-lists"

const OTHER = `
  select o.id from mp_operation_search s join mp_operation o on o.id = s.operation_id
   where s.words @@ $1::tsquery
     and o.type = 'COLLECTION' and o.flow in (${ASKING_PHONE})
     and o.state in ('submitted', 'in_flight') and o.id <> $2
   limit 1`

/** @param phoneWord the number's search word, by which its payments are found */
export async function hasOtherPrompt(
  database: Database,
  phoneWord: string,
  operationId: OperationId,
): Promise<boolean> {
  return (await database.query(OTHER, [`'${phoneWord}'`, operationId])).length > 0
}
