/**
 * Keeps money that came beside a payment: a second source of it was paid, because the answer to the
 * first creation was lost, or its own source was paid twice, on its page and by its prompt. The
 * money gets an operation of its own, a duplicate payment in review. If it is found twice, it is
 * kept once, because a source has at most one such operation.
 */
import type { OperationId, SourceId } from "../core/ids"
import type { EventCode } from "../core/messages"
import type { Money } from "../core/money"
import type { Operation, SourceType } from "../core/operation"
import { mayShareNumbers } from "./accounts/credentials"
import type { Database } from "./database"
import { ON_PAGE } from "./flow-lists"
import { OPERATION_COLUMNS, queryOperation } from "./operation-row"

type Found = "second_source" | "second_charge"

/** The codes of the events that begin the operation, end it, and bring its money. */
const CODES = {
  second_source: ["second_source", "second_source_left", "second_source_paid"],
  second_charge: ["second_charge", "second_charge_left", "second_charge_paid"],
} as const satisfies Readonly<Record<Found, readonly EventCode[]>>

const ADOPT = `
  with adopted as (
    insert into mp_operation (
      id, type, state, is_duplicate, flow, account_id, credential_id, provider_id,
      payment_collection_id, payment_session_id, cart_id, order_id, currency_code, amount_minor,
      collected_minor, source_type, source_id, source_number, source_status, expires_at, reason, version,
      phone_hint, customer_name, customer_email, search_words, money_at)
    select $2, 'COLLECTION', 'review', true, 'hosted', account_id, credential_id,
           provider_id, payment_collection_id, payment_session_id, cart_id, order_id, $3,
           $4::bigint, $4::bigint, $5, $6::bigint,
           case when source_id = $6::bigint then source_number end, 'PAID', now(), 'another_payment', 3,
           phone_hint, customer_name, customer_email, search_words, now()
      from mp_operation beside
     where id = $1
       and not exists (
         select from mp_operation kept
          where kept.id in (select operation_id from mp_operation_search
                             where words @@ $7::tsquery)
            and kept.account_id = beside.account_id and kept.source_id = $6::bigint
            and kept.source_type = $5 and kept.flow in (${ON_PAGE})
            and ${mayShareNumbers("kept.credential_id", "beside.credential_id")})
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select a.id, e.seq, e.name, e.state, e.code,
           jsonb_build_object('source_id', a.source_id, 'beside', $1::text)
      from adopted a,
           (values (1, 'draft', 'drafted', $8),
                   (2, 'expire', 'expired', $9),
                   (3, 'complete', 'review', $10))
             e (seq, name, state, code)
  )
  select ${OPERATION_COLUMNS} from adopted`

/** @returns the operation, or undefined when the money is kept already */
export async function adoptMoney(
  database: Database,
  beside: Operation,
  money: {
    readonly id: OperationId
    readonly sourceType: SourceType
    readonly sourceId: SourceId
    readonly total: Money
    readonly found: Found
  },
): Promise<Operation | undefined> {
  const { currency, minor } = money.total
  const { sourceType, sourceId } = money
  // The source's number is among the words of its operations, which have an index.
  const word = `'${sourceId}'`
  const given = [beside.id, money.id, currency, minor.toString(), sourceType, sourceId, word]
  return queryOperation(database, ADOPT, [...given, ...CODES[money.found]])
}
