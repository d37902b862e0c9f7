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
import type { Database } from "../../ledger/database"
import { inserted } from "../../ledger/advance-operation"
import { OPERATION_COLUMNS, queryOperation } from "../../ledger/operation-row"
import { requestBecame, requestUsed, type People, type RequestUse } from "../../ledger/requests"
import { storable } from "../../core/storable"
import type { PayoutType } from "./find-payouts"
import { turnTaken } from "./money-out-room"

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
  /** The request that it carries out, where two admins were needed. */
  readonly request: RequestUse | undefined
}

/**
 * Inserts a payout or transfer and its first event, and uses the request that it carries out. No
 * row comes back if the key is taken: the rule `one_movement_per_idempotency_key` decides, so of two
 * admins at once one makes it and the other finds it. Nor does one come back if the room has changed
 * (`turnTaken`), or if the request can't be used any more. In one statement the key is taken, the
 * request used and the payout drafted, so none of them is there without the others.
 */
const insertOf = (
  { columns, values }: ReturnType<typeof inserted>,
  type: PayoutType,
  people: People | undefined,
) => `
  with recursive ${turnTaken("$8::text")}, request as materialized (
    ${people ? requestUsed(people, type, "$9::text", "$10::text") : "select where false"}
  ), drafted as (
    insert into mp_operation (
      account_id, state, flow, expires_at, lease_token, lease_until, next_check_at, ${columns})
    select turn.id, 'drafted', 'push', now() + $3 * interval '1 ms', $4::uuid,
           now() + $5 * interval '1 ms', now() + $5 * interval '1 ms', ${values}
      from turn
     where $9::text is null or exists (select from request)
    on conflict do nothing
    returning *
  ), used as (
    ${requestBecame("$9::text", "$10::text", "$11::text", "drafted")}
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'ask', state,
           case when $6::text is null then 'money_out_asked' else 'note' end,
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code,
                              'asked_by', asked_by, 'agreed_with', $7::text, 'note', $6::text)
      from drafted
  )
  select ${OPERATION_COLUMNS} from drafted`

/**
 * @param people who may use the request; needed where there is one
 * @returns the draft, held by lease; undefined where the key is taken, or the room has changed
 */
export function insertPayout(
  database: Database,
  { accountId, amount, note, turn, request, ...draft }: PayoutDraft,
  people: People,
): Promise<Operation | undefined> {
  const parameters: unknown[] = [
    accountId,
    turn,
    // Counted from now, by the database's clock: until then the gateway may execute the session.
    draft.type === "PAYOUT" ? LIMITS.payoutSessionMs : LIMITS.transferSessionMs,
    randomUUID(),
    LIMITS.startLeaseMs,
    note === undefined ? null : storable(note),
    request?.approvedBy ?? null,
    draft.credentialId,
    request?.id ?? null,
    request?.approvedBy ?? null,
    request?.answer ?? null,
  ]
  const fields = { ...draft, currencyCode: amount.currency, amountMinor: amount.minor }
  const insert = insertOf(inserted(fields, parameters), draft.type, request && people)
  return queryOperation(database, insert, parameters)
}
