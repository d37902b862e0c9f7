/**
 * A prompt's document has a page, where any phone and any card can pay. However the prompt ended,
 * whatever shows the payment names the operator or card that paid, or none: never that of a phone
 * that was asked and has not paid. Lists filter by, and figures group by, what their rows show.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import type { Operation } from "../../../src/core/operation"
import { checkForPerson } from "../../../src/review/check"
import { readOperations } from "../../../src/review/read-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE, PUSH } from "../../support/flows-harness"
import { one } from "../../support/notify-scene"
import { payerViews, type Started } from "../../support/payer-views"
import { useReviewHarness } from "../../support/review-harness"

const review = useReviewHarness()
const its = () => review.its()
const { scene, settled, viewsInReview, viewsOf } = payerViews(review)

const PROMPTED = "OPERATOR1_MOMO_LBR"
const DIGITS = PHONE.slice(-3)

type Pay = (operation: Operation) => void

const byPhone =
  (phone: string): Pay =>
  ({ sourceId }) => {
    const { hosted, handset } = its().simulator
    hosted.pay(sourceId ?? 0, { method: "mobile_money", phone })
    handset.approve(phone.slice(1))
  }

const PAYERS: readonly (readonly [string, Pay, readonly string[]])[] = [
  ["another operator's phone", byPhone("+231880000357"), ["OPERATOR2_MONEY_LBR", "Operator 2"]],
  [
    "a card",
    ({ sourceId }) => its().simulator.hosted.pay(sourceId ?? 0, { method: "card" }),
    ["CREDIT_CARD", "Card"],
  ],
  ["another phone of its operator", byPhone("+231770000357"), [PROMPTED, "Operator 1"]],
]

async function prompt(): Promise<Started> {
  const { sessionId, collectionId } = its().cart(PUSH)
  await startPayment(its().deps, { sessionId, phone: PHONE })
  return { sessionId, operation: await its().shown(collectionId) }
}

async function declinedOnce(): Promise<Started> {
  const started = await prompt()
  its().simulator.handset.decline(started.operation.reference ?? "")
  expect(await review.checkAfter(started.operation, SECOND)).toMatchObject({ state: "in_flight" })
  return started
}

async function failed(): Promise<Started> {
  const started = await declinedOnce()
  const operation = await review.checkAfter(started.operation, 6 * SECOND)
  expect(operation).toMatchObject({ state: "failed", paymentMethod: PROMPTED, phoneHint: DIGITS })
  return { ...started, operation }
}

const neverLanded = async () => {
  its().simulator.faults.script("executeCollection", Array<"503">(20).fill("503"))
  return prompt()
}

const untilReview = async ({ operation }: Started): Promise<void> => {
  for (let tries = 0; tries < 12; tries++) {
    const { state } = await review.checkAfter(operation, 3 * MINUTE)
    if (state === "review") return
  }
}

/** How the prompt ended before the page was paid, and how its money is found. */
const ENDINGS: readonly (readonly [
  string,
  () => Promise<Started>,
  (started: Started) => Promise<unknown>,
])[] = [
  ["failed", failed, untilReview],
  ["was declined and read once", declinedOnce, untilReview],
  [
    "failed, as the next start finds",
    failed,
    async ({ sessionId }) => {
      expect(await codeOf(startPayment(its().deps, { sessionId, phone: PHONE }))).toBe(
        "under_review",
      )
    },
  ],
  ["never landed", neverLanded, untilReview],
  [
    "was declined and can't be read",
    declinedOnce,
    async (started) => {
      its().simulator.faults.script("getCollectionStatus", Array<"500">(200).fill("500"))
      await untilReview(started)
      its().simulator.faults.clear()
    },
  ],
]

/** Each ending with one of the payers, and the first one with all of them. */
const CASES = ENDINGS.flatMap(([ending, begin, find], at) =>
  PAYERS.filter((_, number) => at === 0 || at % PAYERS.length === number).map(
    ([payer, pay, names]) => ({ ending, begin, find, payer, pay, names }),
  ),
)

/** The operators and cards that a view names, by code or by name. */
function methodsIn(view: unknown): string[] {
  const text = typeof view === "string" ? view : JSON.stringify(view)
  const found = text.matchAll(/OPERATOR\d_\w+|CREDIT_CARD|\bOperator \d|\bCard\b|Mobile money/g)
  return [...new Set([...found].map(([name]) => name))]
}

function expectOnly(views: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  for (const [view, shown] of Object.entries(views)) {
    const others = methodsIn(shown).filter((name) => !names.includes(name))
    expect([view, others]).toEqual([view, []])
  }
}

const filteredBy = async (method: string) => {
  const filter = { paymentMethods: [method], types: ["COLLECTION"] as const }
  const { operations } = await readOperations(its().deps, filter, { limit: 20, offset: 0 })
  return operations.map(({ id, operator }) => [id, operator?.payment_method])
}

beforeEach(() => scene().tell({ recipients: [one({ kinds: ["money_received"] })] }))

it.each(CASES)(
  "where a prompt $ending and $payer pays its page, every view names the payer or none",
  async ({ begin, find, pay, names }) => {
    const started = await begin()
    pay(started.operation)
    await find(started)
    const operation = await review.reread(started.operation)
    expect(operation).toMatchObject({ state: "review", collected: operation.amount })
    expectOnly(await viewsInReview({ ...started, operation }), names)
    await review.resolve(operation, "accept")
    const paid = await settled({ ...started, operation })
    expectOnly(await viewsOf(paid), names)
    expect(await filteredBy(PROMPTED)).toEqual([])
  },
)

it("a prompt that its own phone approves names its operator in every view, and is filtered by it", async () => {
  const started = await prompt()
  its().simulator.handset.approve(started.operation.reference ?? "")
  const paid = await settled(started)
  for (const [view, shown] of Object.entries(await viewsOf(paid)))
    expect([view, methodsIn(shown).length > 0]).toEqual([view, view !== "the refund in the list"])
  expect(await filteredBy(PROMPTED)).toEqual([[paid.operation.id, PROMPTED]])
})

it("a prompt that its own phone approves, which can be read only later, names its operator then", async () => {
  const started = await prompt()
  its().simulator.handset.approve(started.operation.reference ?? "")
  its().simulator.faults.script("getCollectionStatus", Array<"500">(200).fill("500"))
  await untilReview(started)
  its().simulator.faults.clear()
  expectOnly(await viewsInReview(started), [])
  await checkForPerson(its().deps, started.operation.id, "user_ada")
  const operation = await review.reread(started.operation)
  expect(operation).toMatchObject({
    paymentMethod: PROMPTED,
    carrier: "Operator 1",
    phoneHint: DIGITS,
  })
  expect(await filteredBy(PROMPTED)).toEqual([[operation.id, PROMPTED]])
})
