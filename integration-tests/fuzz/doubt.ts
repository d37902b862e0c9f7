/** What a store seldom leaves behind, and an admin has a door for. */
import { paidOrder, refund } from "../http/support/refunds"
import type { Harness } from "../http/support/harness"

/** A refund to a number that the simulator's table calls a failing one. */
export async function refundThatFails(harness: Harness, turn: number): Promise<void> {
  const phone = `+231886${String(turn % 10_000).padStart(4, "0")}91`
  await refund(harness, await paidOrder(harness, phone), 1)
}

/**
 * The payment's intent is unknown, as where no answer of the gateway named it.
 *
 * @returns the payment and the intent, which the gateway's own answers name
 */
export async function withoutIntent({ sql }: Harness): Promise<string | undefined> {
  const [row] = await sql<{ payment: string }>(
    `with known as (
       select id, payment_intent_id from mp_operation
        where type = 'COLLECTION' and state = 'completed' and recorded_at is not null
          and returned_at is null and payment_intent_id is not null
        order by created_at desc limit 1
     )
     update mp_operation o set payment_intent_id = null from known where o.id = known.id
     returning known.id || ' ' || known.payment_intent_id as payment`,
  )
  return row?.payment
}

type Changes = Readonly<Record<string, string>>

/** Rows of a table once more, with other values, which are SQL about the row that `one` names. */
function again(table: string, where: string, changes: Changes): string {
  const values = Object.entries(changes).map(([column, value]) => `'${column}', ${value}`)
  const row = `to_jsonb(one) || jsonb_build_object(${values.join(", ")})`
  return `insert into ${table}
    select (jsonb_populate_record(null::${table}, ${row})).* from ${table} one where ${where};`
}

const OWN_ID: Changes = { id: "one.id || 'S'" }
const OF_ORDER: Changes = { ...OWN_ID, order_id: "one.order_id || 'S'" }

/** A newest payment that has no second order yet. */
const PAID = `
  select o.id, o.order_id from mp_operation o join order_cart l on l.order_id = o.order_id
   where o.type = 'COLLECTION' and o.state = 'completed' and o.recorded_at is not null
     and not o.is_duplicate
     and not exists (select from "order" s where s.id = o.order_id || 'S')
   order by o.created_at desc limit 1`

/**
 * The second order that is left of a store that died between an order and its link to the cart,
 * long enough ago. `http/stray-orders.spec.ts` has a store die there.
 */
export async function leaveStray({ sql }: Harness): Promise<void> {
  const [paid] = await sql<{ id: string; order_id: string }>(PAID)
  if (!paid) return
  const { id: payment, order_id: order } = paid
  const ofPaid = `one.order_id = '${order}' and one.version = 1`
  const items = `select item_id from order_item where order_id = '${order}' and version = 1`
  await sql(`
    update mp_operation set money_at = money_at - interval '20 minutes' where id = '${payment}';
    ${again('"order"', `one.id = '${order}'`, {
      ...OWN_ID,
      // The number of one that was made before.
      display_id: "-one.display_id",
      created_at: "one.created_at - interval '15 minutes'",
      status: "'pending'",
      version: "1",
      canceled_at: "null",
    })}
    ${again("order_line_item", `one.id in (${items})`, OWN_ID)}
    ${again("order_item", ofPaid, { ...OF_ORDER, item_id: "one.item_id || 'S'" })}
    ${again("order_shipping", ofPaid, OF_ORDER)}
    ${again("order_summary", ofPaid, OF_ORDER)}
    insert into mp_task (name, subject) values ('stray_order:${order}S', '${payment}')`)
}
