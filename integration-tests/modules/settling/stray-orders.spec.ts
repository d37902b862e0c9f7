/**
 * A second order that a completion left behind is listed with the payment whose completion made it,
 * and canceled by an admin or by the account's rule. `http/stray-orders.spec.ts` proves with a real
 * store which orders count as such.
 */
import { randomUUID } from "node:crypto"
import fc from "fast-check"
import { NO_POLICIES } from "../../../src/core/account-settings"
import { idFrom, type AdminId, type CartId, type OrderId } from "../../../src/core/ids"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { StrayOrder } from "../../../src/engine/stray-order"
import { findEvents } from "../../../src/ledger/find-events"
import { cancelStrayOrder, strayOrdersOf, sweepStrayOrders } from "../../../src/orders/stray-orders"
import { readOperation, readOperations } from "../../../src/review/read-operations"
import { resolveOperation } from "../../../src/review/resolve"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useLateMoney } from "../../support/late-money"
import { setPolicies } from "../../support/policies"

const adminId = idFrom<AdminId>("user_ada")
const { harness, started, checkAfter } = useLateMoney()

/** What Medusa's tables say. */
let strays: StrayOrder[] = []
let canceled: OrderId[] = []

beforeEach(async () => {
  strays = []
  canceled = []
  await rule(false)
  await harness.ledger.sql("delete from mp_task")
})

const rule = (cancel_stray_orders: boolean) =>
  setPolicies(harness, { ...NO_POLICIES, cancel_stray_orders })

function deps(): FlowDeps {
  const cancelOrder = (id: OrderId) => {
    if (!strays.some((stray) => stray.id === id)) throw new Error(`${id} can't be cancelled`)
    canceled.push(id)
    strays = strays.filter((stray) => stray.id !== id)
    return Promise.resolve()
  }
  const medusa = {
    ...harness.deps.medusa,
    strayOrdersSince: () => Promise.resolve([...strays]),
    strayOrders: (ids: readonly OrderId[]) =>
      Promise.resolve(strays.filter(({ id }) => ids.includes(id))),
    cancelOrder,
  }
  return { ...harness.deps, medusa }
}

const sweep = () => sweepStrayOrders(deps(), 3 * HOUR, () => Promise.resolve())

async function paid(): Promise<Operation> {
  const { operation } = await started()
  harness.simulator.handset.approve(operation.reference ?? "")
  const now = await checkAfter(operation, 3 * SECOND)
  expect(now).toMatchObject({ state: "completed", recordedAt: expect.any(Date) })
  return now
}

/** A stray of the payment's purchase, made so long after its money. */
async function strayOf(payment: Operation, afterMs = SECOND): Promise<StrayOrder> {
  const [row] = await harness.ledger.sql("select money_at from mp_operation where id = $1", [
    payment.id,
  ])
  const moneyAt = row?.["money_at"] ? new Date(String(row["money_at"])).getTime() : Date.now()
  const createdAt = new Date(moneyAt + afterMs)
  return {
    id: idFrom<OrderId>(`order_${randomUUID()}`),
    number: "17",
    createdAt,
    madeId: payment.orderId ?? idFrom<OrderId>(""),
    madeAt: new Date(createdAt.getTime() + MINUTE),
    cartId: payment.cartId ?? idFrom<CartId>(""),
  }
}

async function listed(): Promise<readonly (string | null)[]> {
  const asked = { needsAttention: true }
  const { operations } = await readOperations(deps(), asked, { limit: 20, offset: 0 })
  return operations.map(({ attention }) => attention)
}

const offered = async (payment: Operation) =>
  (await readOperation(deps(), payment.id)).stray_orders.map(({ order_id }) => order_id)

const codes = async ({ id }: Operation) =>
  (await findEvents(harness.deps.database, id)).map(({ code }) => code)

const cancel = (payment: Operation, orderId: OrderId) =>
  cancelStrayOrder(deps(), { operationId: payment.id, orderId, adminId })

it("[P33] a second order is listed with its payment once, and an admin cancels it with one click", async () => {
  const payment = await paid()
  const stray = await strayOf(payment)
  strays = [stray]
  expect(await listed()).toEqual([])
  await sweep()
  await sweep()
  expect(await listed()).toEqual(["stray_order"])
  expect(canceled).toEqual([])
  expect(await offered(payment)).toEqual([stray.id])
  expect((await codes(payment)).filter((code) => code === "stray_order_found")).toHaveLength(1)
  await cancel(payment, stray.id)
  expect(canceled).toEqual([stray.id])
  expect(await listed()).toEqual([])
  expect((await codes(payment)).at(-1)).toBe("stray_order_canceled")
  expect(await codeOf(cancel(payment, stray.id))).toBe("order_not_found")
})

it("[P33] a second order is canceled by the account's rule at the second sweep that sees it", async () => {
  const payment = await paid()
  const stray = await strayOf(payment)
  strays = [stray]
  await rule(true)
  await sweep()
  expect(canceled).toEqual([])
  await sweep()
  expect(canceled).toEqual([stray.id])
  const events = await findEvents(harness.deps.database, payment.id)
  expect(events.at(-1)?.facts).toMatchObject({
    by: "policy cancel_stray_orders",
    order: stray.id,
    number: "17",
  })
  await sweep()
  expect(canceled).toHaveLength(1)
})

it("a second order leaves the list when an admin dismisses it, and stays as it is", async () => {
  const payment = await paid()
  strays = [await strayOf(payment)]
  await sweep()
  const operationId = payment.id
  await resolveOperation(deps(), {
    operationId,
    adminId,
    action: "dismiss",
    note: "the shop made it",
  })
  await rule(true)
  await sweep()
  await sweep()
  expect([await listed(), await offered(payment), canceled]).toEqual([[], [], []])
})

it("a second order leaves the list once it is canceled, paid or changed elsewhere", async () => {
  const payment = await paid()
  strays = [await strayOf(payment)]
  await sweep()
  strays = []
  expect(await offered(payment)).toEqual([])
  await sweep()
  expect(await listed()).toEqual([])
  expect((await codes(payment)).at(-1)).toBe("stray_order_left")
})

it("the second orders offered with a payment are exactly the ones that can be canceled, and its completion made them", async () => {
  const payments = [await paid(), await paid()]
  const { operation: unpaid } = await started()
  const anOrder = fc.record({
    of: fc.constantFrom(...payments, unpaid),
    afterMs: fc.constantFrom(-HOUR, -MINUTE, 0, SECOND, MINUTE),
    isOfOtherCart: fc.boolean(),
    isOfOtherOrder: fc.boolean(),
    isGone: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anOrder, { minLength: 1, maxLength: 4 }), async (drawn) => {
      await harness.ledger.sql("delete from mp_task")
      const made = await Promise.all(
        drawn.map(async (one) => {
          const stray = await strayOf(one.of, one.afterMs)
          const cart = one.isOfOtherCart ? { cartId: idFrom<CartId>("cart_other") } : {}
          const order = one.isOfOtherOrder ? { madeId: idFrom<OrderId>("order_other") } : {}
          return { ...one, stray: { ...stray, ...cart, ...order } }
        }),
      )
      strays = made.map(({ stray }) => stray)
      await sweep()
      strays = made.filter(({ isGone }) => !isGone).map(({ stray }) => stray)
      for (const payment of [...payments, unpaid]) {
        const isTrue = (one: (typeof made)[number]) =>
          one.of.id === payment.id &&
          payment.recordedAt !== null &&
          one.afterMs >= 0 &&
          !one.isOfOtherCart &&
          !one.isOfOtherOrder &&
          !one.isGone
        const found = (await strayOrdersOf(deps(), payment)).map(({ id }) => id)
        expect(new Set(found)).toEqual(new Set(made.filter(isTrue).map(({ stray }) => stray.id)))
        for (const { stray } of made) {
          if (!found.includes(stray.id)) {
            expect(await codeOf(cancel(payment, stray.id))).toBe("order_not_found")
          }
        }
        for (const id of found) await cancel(payment, id)
      }
    }),
    { numRuns: 25 },
  )
})
