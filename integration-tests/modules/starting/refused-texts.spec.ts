/**
 * Texts that a gateway refuses: a text that only describes stops no payment. The gateway here takes
 * 50 ASCII characters, no plus in an e-mail address, and ten lines, and its refusals say so.
 */
import { codeOf } from "../../support/code-of"
import { useDocumentFirst } from "../../support/document-first"
import { HOSTED } from "../../support/flows-harness"

const TITLES = ["Café glacé", "Thé & eau", "L'épicerie", "Pagne 🌍 wax", "Une\u202e ligne\u0007"]
const LONG = "Un très long nom d’article, avec toutes ses tailles et toutes ses couleurs"

/** 19.99 in 19 lines of 1.05 and one of 0.04. */
const positions = Array.from({ length: 20 }, (_, index) => ({
  title: index % 6 === 5 ? LONG : `${TITLES[index % 5] ?? ""} ${index}`,
  quantity: 1,
  total: index === 19 ? "0.04" : "1.05",
}))

const its = useDocumentFirst({
  simulator: { texts: "plain" },
  basket: { positions, name: "Élodie O'Brien & fils", email: "elodie+shop@example.com" },
})

describe.each([
  ["document first", "PAYER"],
  ["in one call", null],
] as const)(
  "a shopper whose texts the gateway refuses, with the source made %s,",
  (_, feeBearer) => {
    beforeEach(() => its.bearer(feeBearer))

    it("pays the whole amount on the phone, once", async () => {
      const { collectionId, sessionId } = its.harness.cart()
      expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
      const { lines } = await its.paid(collectionId)
      expect(lines.length).toBeLessThanOrEqual(10)
      for (const { name } of lines) expect(name).toMatch(/^[\x20-\x7e]{1,50}$/)
    })

    it("has a page to pay on", async () => {
      const { collectionId, sessionId } = its.harness.cart(HOSTED)
      expect(await its.start(sessionId)).toMatchObject({
        state: "waiting_for_payer",
        flow: "hosted",
      })
      const { sourceId } = await its.harness.shown(collectionId)
      expect(its.harness.simulator.book.document(sourceId ?? 0)?.totalAmount).toBe("19.99")
    })
  },
)

it("the gateway's words for a refusal are in the event and in the log", async () => {
  const { collectionId, sessionId } = its.harness.cart()
  its.harness.simulator.faults.script("createOrder", ["422"])
  expect(await codeOf(its.start(sessionId))).toBe("gateway_refused")
  const [operation] = await its.operationsOf(collectionId)
  const [event] = await its.harness.ledger.sql(
    "select facts from mp_operation_event where operation_id = $1 and code = 'never_sent'",
    [operation?.id ?? ""],
  )
  const facts = { call: "orders.create", code: "GATEWAY_INVALID", detail: "Refused by script" }
  expect(event?.["facts"]).toEqual(facts)
  expect(its.harness.logged.join("\n")).toContain("refused orders.create: Refused by script")
})
