import { randomUUID } from "node:crypto"
import type { FeeBearer, Flow, Line, Operation, SourceType } from "../core/operation"
import type { Money } from "../core/money"
import type { Database } from "./database"
import { linesToJson, OPERATION_COLUMNS, operationFrom } from "./operation-row"

export type Draft = {
  readonly id: string
  readonly flow: Flow
  readonly accountId: string
  readonly providerId: string
  readonly paymentCollectionId: string
  readonly paymentSessionId: string
  readonly cartId: string | null
  readonly orderId: string | null
  readonly amount: Money
  readonly lines: readonly Line[]
  readonly sourceType: SourceType
  readonly feeBearer: FeeBearer | null
  readonly returnToken: string | null
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly phoneHint: string | null
  readonly windowMs: number
  readonly windowEndsAt: Date | null
  readonly leaseMs: number
}

/**
 * A new collection, its first event and its session, in one statement. Nothing comes back when the
 * payment collection already has a live operation: the rule of the database decides, not a read.
 */
const INSERT = `
  with drafted as (
    insert into mp_operation (
      id, type, state, flow, account_id, provider_id, payment_collection_id, payment_session_id,
      cart_id, order_id, currency_code, amount_minor, lines, source_type, return_token, success_url,
      cancel_url, phone_hint, expires_at, window_ends_at, waiting, waiting_at,
      lease_token, lease_until, next_check_at, fee_bearer)
    values ($1, 'COLLECTION', 'drafted', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      $16, now() + $17 * interval '1 ms', $18, $20 > 0, case when $20 > 0 then now() end,
      $19, case when $20 > 0 then now() + $20 * interval '1 ms' end,
      now() + $17 * interval '1 ms', $21)
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, why, facts)
    select id, version, 'draft', state, 'a shopper commits to pay',
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code)
      from drafted
  ), bound as (
    insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
    select payment_session_id, id, payment_collection_id from drafted
    on conflict (payment_session_id) do update set operation_id = excluded.operation_id
  )
  select ${OPERATION_COLUMNS} from drafted`

export async function insertDraft(
  database: Database,
  draft: Draft,
): Promise<Operation | undefined> {
  const rows = await database.query(INSERT, [
    draft.id,
    draft.flow,
    draft.accountId,
    draft.providerId,
    draft.paymentCollectionId,
    draft.paymentSessionId,
    draft.cartId,
    draft.orderId,
    draft.amount.currency,
    draft.amount.minor.toString(),
    linesToJson(draft.lines),
    draft.sourceType,
    draft.returnToken,
    draft.successUrl,
    draft.cancelUrl,
    draft.phoneHint,
    draft.windowMs,
    draft.windowEndsAt,
    randomUUID(),
    draft.leaseMs,
    draft.feeBearer,
  ])
  return rows[0] && operationFrom(rows[0])
}
