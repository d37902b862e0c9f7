import { randomUUID } from "node:crypto"
import { LIMITS } from "../../core/limits"
import type { Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import { storable } from "../../ledger/storable"
import type { PayoutType } from "./find-payouts"

export type PayoutDraft = {
  readonly id: string
  readonly type: PayoutType
  readonly accountId: string
  readonly credentialId: string
  readonly amount: Money
  readonly idempotencyKey: string
  /** An admin's id, or an API key's. */
  readonly askedBy: string
  /** An admin's own words, kept with the first event. */
  readonly note: string | undefined
  readonly recipientName: string | null
  /** By which the payout is found; see `core/search-words`. */
  readonly searchWords: readonly string[]
  /** The last three digits; the number itself is kept nowhere. */
  readonly phoneHint: string | null
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly walletId: number | null
  readonly counterpartyId: number | null
  /** Of the account's room as it was read (`money-out-room.ts`). */
  readonly turn: number
  /** The admin who asked for the same first, where it took two. */
  readonly agreedWith: string | null
}

/**
 * A new payout or transfer and its first event. Nothing comes back when the key is taken: the rule
 * `one_movement_per_idempotency_key` decides, so of two admins at once one makes it and the other
 * finds it.
 *
 * Nor when another one was made since the account's room was read: the account's row is locked
 * before its turn is compared, so what was left then is left now.
 */
const INSERT = `
  with turn as (
    update mp_account set money_out_turn = money_out_turn + 1
     where id = $3 and money_out_turn = $19
    returning id
  ), drafted as (
    insert into mp_operation (
      id, type, state, flow, account_id, credential_id, currency_code, amount_minor, asked_by,
      idempotency_key, recipient_name, phone_hint, payment_method, carrier, wallet_id,
      counterparty_id, expires_at, lease_token, lease_until, next_check_at,
      search_words)
    select $1, $2, 'drafted', 'push', turn.id, $4, $5, $6::bigint, $7, $8, $9, $10, $11, $12,
           $13::bigint, $14::bigint, now() + $15 * interval '1 ms', $16::uuid,
           now() + $17 * interval '1 ms', now() + $17 * interval '1 ms', $21
      from turn
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'ask', state,
           case when $18::text is null then 'money_out_asked' else 'note' end,
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code,
                              'asked_by', asked_by, 'agreed_with', $20::text, 'note', $18::text)
      from drafted
  )
  select ${OPERATION_COLUMNS} from drafted`

/** @returns the draft, held by lease; undefined where the key is taken, or the room has changed */
export async function insertPayout(
  database: Database,
  draft: PayoutDraft,
): Promise<Operation | undefined> {
  const rows = await database.query(INSERT, [
    draft.id,
    draft.type,
    draft.accountId,
    draft.credentialId,
    draft.amount.currency,
    draft.amount.minor.toString(),
    draft.askedBy,
    draft.idempotencyKey,
    draft.recipientName === null ? null : storable(draft.recipientName),
    draft.phoneHint,
    draft.paymentMethod,
    draft.carrier,
    draft.walletId,
    draft.counterpartyId,
    // From now, by the database's clock: until then the gateway may execute it.
    draft.type === "PAYOUT" ? LIMITS.payoutSessionMs : LIMITS.transferSessionMs,
    randomUUID(),
    LIMITS.startLeaseMs,
    draft.note === undefined ? null : storable(draft.note),
    draft.turn,
    draft.agreedWith,
    draft.searchWords.map(storable),
  ])
  return rows[0] && operationFrom(rows[0])
}
