import type { AccountPolicies } from "../../core/account-settings"
import { storedPolicies } from "../../core/schemas/settings"
import type { AccountId, CredentialId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { merchantClient } from "../../ledger/accounts/merchant-client"
import type { Database } from "../../ledger/database"

/** Through which account and credential money would leave, and in which currency. */
export type MoneyOutPlace = {
  readonly accountId: AccountId
  readonly credentialId: CredentialId
  readonly currency: string
}

/** What an account may send, and what its merchant's client has sent, both at one moment. */
export type MoneyOutRoom = {
  /** The account's own policies: whether it sends money at all, and who may ask for it. */
  readonly policies: AccountPolicies
  /** The policies of each account of the client, this one's too: the lowest amounts hold. */
  readonly everyPolicies: readonly AccountPolicies[]
  /** Sent within the last day in this currency by all accounts of the client, in smallest units. */
  readonly sentMinor: bigint
  /**
   * A counter that a draft has to name. Of two drafts at once the second reads the room again, and
   * counts the first one's money.
   */
  readonly turn: number
}

/**
 * Money under way counts as sent; what failed, or ended without a trace, does not. A removed
 * account's money counts too, by its credential, and that of a former credential by its account.
 */
const ROOM = `
  with recursive ${merchantClient("$1", "$4::text")}
  select a.policies, (select jsonb_agg(policies) from holder) as every,
         (select sum(money_out_turn) from mp_account join holder using (id)) as turn,
         (select coalesce(sum(o.amount_minor), 0)::text from mp_operation o
           where o.type in ('PAYOUT', 'TRANSFER') and o.currency_code = $2
             and (o.account_id in (select id from holder)
               or o.credential_id in (select id from client))
             and o.state not in ('failed', 'expired')
             and o.created_at > now() - $3 * interval '1 ms') as sent_minor
    from mp_account a where a.id = $1 and a.deleted_at is null`

/**
 * SQL that follows `with recursive`: `turn` has a row only if no other draft or request took the
 * turn since the room was read. The rows of all accounts of the client are locked before their
 * turns are compared, so what was left then is left now, and a key that was free then is free now.
 * `$1` is the account, `$2` the turn of the room.
 */
export const turnTaken = (credentialId: string) => `
  ${merchantClient("$1", credentialId)}, locked as materialized (
    select money_out_turn from mp_account where id in (select id from holder)
     order by id for no key update
  ), turn as (
    update mp_account a set money_out_turn = a.money_out_turn + 1
      from (select sum(money_out_turn) as now from locked) turns
     where a.id = $1 and turns.now = $2
    returning a.id
  )`

/** @returns undefined for an account that is gone */
export async function findMoneyOutRoom(
  database: Database,
  { accountId, credentialId, currency }: MoneyOutPlace,
): Promise<MoneyOutRoom | undefined> {
  const parameters = [accountId, currency, LIMITS.movedTogetherMs, credentialId]
  const [row] = await database.query(ROOM, parameters)
  return (
    row && {
      policies: storedPolicies.parse(row["policies"]),
      everyPolicies: storedPolicies.array().parse(row["every"]),
      sentMinor: BigInt(String(row["sent_minor"])),
      turn: Number(row["turn"]),
    }
  )
}
