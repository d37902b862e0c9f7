import { randomUUID } from "node:crypto"
import type {
  AccountId,
  CounterpartyId,
  CredentialId,
  OperationId,
  Reference,
  WalletId,
} from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import type { CleanText, ExactText } from "../../core/said/texts"
import { merchantClient } from "../../ledger/accounts/merchant-client"
import type { Database } from "../../ledger/database"
import { inserted } from "../../ledger/advance-operation"
import { OPERATION_COLUMNS, queryOperation } from "../../ledger/operation-row"
import { storable } from "../../ledger/storable"
import type { PayoutType } from "./find-payouts"

export type PayoutDraft = {
  readonly id: OperationId
  /** A UUID v4, the only reference under which its money may ever be sent. */
  readonly draftReference: Reference
  readonly type: PayoutType
  readonly accountId: AccountId
  readonly credentialId: CredentialId
  readonly amount: Money
  readonly idempotencyKey: string
  /** The id of the admin, or of the API key, that asked. */
  readonly askedBy: string
  /** An admin's own words, kept with the first event. */
  readonly note: string | undefined
  readonly recipientName: string | null
  /** The words by which an admin's search finds the payout; see `core/search-words`. */
  readonly searchWords: readonly string[]
  /** The last three digits of the recipient's number, which is itself kept nowhere. */
  readonly phoneHint: string | null
  readonly paymentMethod: ExactText | null
  readonly carrier: CleanText | null
  readonly walletId: WalletId | null
  readonly counterpartyId: CounterpartyId | null
  /** The `turn` of the room as it was read (`money-out-room.ts`). */
  readonly turn: number
  /** The admin who asked for the same first, where two admins were needed; else null. */
  readonly agreedWith: string | null
}

/**
 * Inserts a payout or transfer and its first event. No row comes back if the key is taken: the rule
 * `one_movement_per_idempotency_key` decides, so of two admins at once one makes it and the other
 * finds it.
 *
 * Nor does a row come back if another one was made since the room was read. The rows of all
 * accounts of the client are locked before their turns are compared, so what was left then is left
 * now.
 */
const insertOf = ({ columns, values }: ReturnType<typeof inserted>) => `
  with recursive ${merchantClient("$1", "$8::text")}, locked as materialized (
    select money_out_turn from mp_account where id in (select id from holder)
     order by id for no key update
  ), turn as (
    update mp_account a set money_out_turn = a.money_out_turn + 1
      from (select sum(money_out_turn) as now from locked) turns
     where a.id = $1 and turns.now = $2
    returning a.id
  ), drafted as (
    insert into mp_operation (
      account_id, state, flow, expires_at, lease_token, lease_until, next_check_at, ${columns})
    select turn.id, 'drafted', 'push', now() + $3 * interval '1 ms', $4::uuid,
           now() + $5 * interval '1 ms', now() + $5 * interval '1 ms', ${values}
      from turn
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'ask', state,
           case when $6::text is null then 'money_out_asked' else 'note' end,
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code,
                              'asked_by', asked_by, 'agreed_with', $7::text, 'note', $6::text)
      from drafted
  )
  select ${OPERATION_COLUMNS} from drafted`

/** @returns the draft, held by lease; undefined where the key is taken, or the room has changed */
export function insertPayout(
  database: Database,
  { accountId, amount, note, turn, agreedWith, ...draft }: PayoutDraft,
): Promise<Operation | undefined> {
  const parameters: unknown[] = [
    accountId,
    turn,
    // Counted from now, by the database's clock: until then the gateway may execute the session.
    draft.type === "PAYOUT" ? LIMITS.payoutSessionMs : LIMITS.transferSessionMs,
    randomUUID(),
    LIMITS.startLeaseMs,
    note === undefined ? null : storable(note),
    agreedWith,
    draft.credentialId,
  ]
  const fields = { ...draft, currencyCode: amount.currency, amountMinor: amount.minor }
  return queryOperation(database, insertOf(inserted(fields, parameters)), parameters)
}
