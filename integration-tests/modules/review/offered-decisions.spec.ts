/**
 * Every reason for a review with every state of cart and order: the server accepts what the page
 * offers and refuses the rest, and the page highlights the decision that the reason recommends.
 */
import { ofMedusa, type Operation, type ReviewReason } from "../../../src/core/operation"
import type { Decision } from "../../../src/core/possibilities"
import { readOperation } from "../../../src/review/read-operations"
import { codeOf } from "../../support/code-of"
import { useReviewHarness } from "../../support/review-harness"

const review = useReviewHarness()
const { its, late, duplicate, resolve, settled } = review

const ACTIONS: readonly Decision[] = ["accept", "accept_asked", "refund_rest", "refund", "dismiss"]

type Scene = { readonly operation: Operation; readonly collectionId: string }

const set = ({ id }: Operation, change: string) =>
  its().ledger.sql(`update mp_operation set ${change} where id = $1`, [id])

/** The shop asks for another amount than the gateway took: 19.99. */
async function asked({ operation, collectionId }: Scene, minor: number): Promise<void> {
  const cart = its().of(collectionId)
  cart.total = (minor / 100).toFixed(2)
  cart.sessions = cart.sessions.map((session) => ({ ...session, amount: cart.total }))
  await set(
    operation,
    `amount_minor = ${minor}, collected_minor = 1999, reason = 'amount_mismatch',
     payer_currency = 'USD'`,
  )
}

type Row = {
  readonly make?: () => Promise<Scene>
  readonly disturb: (scene: Scene) => void | Promise<void>
  /** In this order, but for a recommended refund, which comes first. */
  readonly offers: readonly Decision[]
  readonly orderState: string
}

const orderOf = ({ collectionId }: Scene, isCanceled: boolean) =>
  void (its().of(collectionId).order = { id: `order_${collectionId}`, isCanceled })

const STATES: Readonly<Record<string, Row>> = {
  "a cart without an order": {
    disturb: () => undefined,
    offers: ["accept", "refund", "dismiss"],
    orderState: "none",
  },
  "an open order": {
    disturb: (scene) => orderOf(scene, false),
    offers: ["accept", "refund", "dismiss"],
    orderState: "open",
  },
  "a cancelled order": {
    disturb: (scene) => orderOf(scene, true),
    offers: ["refund", "dismiss"],
    orderState: "canceled",
  },
  "an order that is paid otherwise": {
    disturb: ({ collectionId }) => {
      const order = { id: `order_${collectionId}`, isCanceled: false, isPaidOtherwise: true }
      its().of(collectionId).order = order
    },
    offers: ["refund", "dismiss"],
    orderState: "paid",
  },
  "a changed cart": {
    disturb: ({ collectionId }) => void (its().of(collectionId).total = "25.00"),
    offers: ["refund", "dismiss"],
    orderState: "none",
  },
  "a cart that is gone": {
    disturb: ({ collectionId }) => {
      const cart = its().of(collectionId)
      cart.sessions = []
      cart.isGone = true
    },
    offers: ["refund", "dismiss"],
    orderState: "none",
  },
  "an order that the other payment has paid": {
    make: () => duplicate("paid"),
    disturb: () => undefined,
    offers: ["refund", "dismiss"],
    orderState: "paid",
  },
  "another payment under way": {
    make: () => duplicate("waiting"),
    disturb: () => undefined,
    offers: ["refund", "dismiss"],
    orderState: "other_under_way",
  },
  "another payment that failed": {
    make: () => duplicate("declined"),
    disturb: () => undefined,
    offers: ["accept", "refund", "dismiss"],
    orderState: "none",
  },
}

/** The text of each recommends the first decision that is possible. */
const REASONS: readonly ReviewReason[] = [
  "late_payment",
  "cart_changed",
  "provider_disabled",
  "cart_not_completed",
]
/** The text of each recommends a refund, and so does that of a duplicate, whatever its reason. */
const TO_REFUND: readonly ReviewReason[] = ["order_canceled", "session_gone", "another_payment"]
/** The ledger alone can't show whether there is money: nothing is highlighted. */
const OPEN_REASONS: readonly ReviewReason[] = ["source_disagrees", "no_answer", "credentials"]

const decisionOf = async ({ id }: Operation) => {
  const { decision, actions } = await readOperation(its().deps, id)
  if (!decision) throw new Error("nothing is to be decided")
  const possible = actions.filter((one) => one.is_possible).map(({ action }) => action)
  expect(possible).toEqual(expect.arrayContaining(decision.choices.map(({ action }) => action)))
  return decision
}

/** @param recommended null: nothing is highlighted */
async function judge(row: Row, recommended: Decision | null, change?: string): Promise<void> {
  const made = async () => {
    const scene = await (row.make ?? late)()
    await row.disturb(scene)
    if (change !== undefined) await set(scene.operation, change)
    return scene
  }
  const { operation } = await made()
  const decision = await decisionOf(operation)
  expect(decision.order_state).toBe(row.orderState)
  const first = recommended === null ? [] : [recommended]
  expect(decision.choices.map(({ action }) => action)).toEqual([
    ...new Set([...first, ...row.offers]),
  ])
  const highlighted = decision.choices.filter((choice) => choice.recommended)
  expect(highlighted.map(({ action }) => action)).toEqual(first)
  for (const { action, consequence } of decision.choices) {
    expect(consequence).toBe(`${action}.${row.orderState}`)
    expect([action, await codeOf(resolve((await made()).operation, action))]).toEqual([
      action,
      "none",
    ])
  }
  for (const action of ACTIONS.filter((one) => !row.offers.includes(one))) {
    expect([action, await codeOf(resolve(operation, action))]).not.toEqual([action, "none"])
  }
  await settled()
}

describe.each(Object.entries(STATES))("money under review with %s", (_, row) => {
  const among = row.make ? [...REASONS, ...TO_REFUND, ...OPEN_REASONS] : TO_REFUND
  it.each(among)("because of %s is recommended for a refund", async (reason) => {
    await judge(row, "refund", `reason = '${reason}'`)
  })

  if (row.make) return
  it.each(REASONS)("because of %s is decided as offered", async (reason) => {
    await judge(row, row.offers[0] ?? null, `reason = '${reason}'`)
  })

  it.each(OPEN_REASONS)("because of %s has no decision highlighted", async (reason) => {
    await judge(row, null, `reason = '${reason}'`)
  })
})

describe("money of another amount or currency", () => {
  // The amounts as requested, so that the records agree.
  afterEach(() =>
    its().ledger.sql("update mp_operation set amount_minor = 1999 where type = 'COLLECTION'"),
  )

  const base = { orderState: "none" }

  it("that is too little is never offered for acceptance", async () => {
    const disturb = (scene: Scene) => asked(scene, 2_500)
    await judge({ ...base, disturb, offers: ["refund", "dismiss"] }, "refund")
  })

  it("that is too much is offered for a refund of the difference, or for acceptance with a note", async () => {
    const disturb = (scene: Scene) => asked(scene, 1_500)
    const offers: readonly Decision[] = ["refund_rest", "accept_asked", "refund", "dismiss"]
    await judge({ ...base, disturb, offers }, "refund_rest")
  })

  it("that is too much for a cancelled order is offered for a full refund only", async () => {
    const disturb = async (scene: Scene) => {
      await asked(scene, 1_500)
      orderOf(scene, true)
    }
    const orderState = "canceled"
    await judge({ ...base, disturb, offers: ["refund", "dismiss"], orderState }, "refund")
  })
})

it("a duplicate payment's page links the payment that paid the order", async () => {
  const { operation, second } = await duplicate("paid")
  const decision = await decisionOf(operation)
  expect(decision.other_payment_id).toBe(second.id)
  expect(decision.order_id).toBe(its().of(ofMedusa(operation).paymentCollectionId).order?.id)
  expect(decision.order_id).not.toBeNull()
})
