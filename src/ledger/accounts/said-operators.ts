/**
 * What the gateway itself calls the operators of wallets: the method and the name that it predicted
 * for a number, as the newest payments keep them. People see it; no payment is decided by it.
 */
import { idFrom, type AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"
import { ASKING_PHONE } from "../flow-lists"

export type SaidOperator = {
  readonly accountId: AccountId
  readonly paymentMethod: string
  readonly carrier: string
  /** The currency that the payer pays in. */
  readonly currency: string
}

/** A payment has a carrier only where the gateway predicted the method that it was sent with. */
const SAID = `
  select distinct account_id as "accountId", payment_method as "paymentMethod", carrier,
         payer_currency as currency
    from (select type, flow, account_id, payment_method, carrier, payer_currency
            from mp_operation order by created_at desc, id desc limit $1) newest
   where type = 'COLLECTION' and flow in (${ASKING_PHONE}) and payment_method is not null
     and carrier is not null and payer_currency is not null
   order by 1, 2, 3, 4 limit $2`

export async function listSaidOperators(database: Database): Promise<readonly SaidOperator[]> {
  const { operatorsSaidOf, operatorsSaidMax } = LIMITS
  const rows = await database.query(SAID, [operatorsSaidOf, operatorsSaidMax], "mp_said_operators")
  return rows.map((row) => ({
    accountId: idFrom<AccountId>(String(row["accountId"])),
    paymentMethod: String(row["paymentMethod"]),
    carrier: String(row["carrier"]),
    currency: String(row["currency"]),
  }))
}
