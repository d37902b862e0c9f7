import type { AccountId, CredentialId } from "../../core/ids"
import type { Database } from "../../ledger/database"
import { requestInsert, requestValues, type AskedRequest, type People } from "../../ledger/requests"
import { turnTaken } from "./money-out-room"

/**
 * Notes a request for money that goes out, under the lock under which such money is drafted: of a
 * click that sends and one that asks under the same key, the later reads the key again.
 *
 * @returns false where the room has changed, or the same is asked for already
 */
export async function askForPayout(
  database: Database,
  people: People,
  asked: AskedRequest,
  room: {
    readonly accountId: AccountId
    readonly credentialId: CredentialId
    readonly turn: number
  },
): Promise<boolean> {
  const sql = `with recursive ${turnTaken("$3::text")} ${requestInsert(people, 4, "from turn")}`
  const { accountId, turn, credentialId } = room
  const values = [accountId, turn, credentialId, ...requestValues(asked)]
  return (await database.query(sql, values)).length > 0
}
