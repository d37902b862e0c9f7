import { ownStateWords, type StateWords } from "./terms/state-words"
import type { Call } from "./call"
import { resourcesOf } from "./create-gateway"
import { inOwnWords } from "./own-words"

const REFERENCE = "0d2f7c1e-58c1-4d8e-9b1a-1f2e3d4c5b6a"
const execution = (status: string) => ({ reference_id: REFERENCE, status, operation_type: null })
const source = (status: string) => ({
  source_id: 7,
  source_type: "ORDER",
  status,
  currency: "USD",
  total_amount: "19.99",
})

/** A gateway that answers each call with this body. */
function saying(body: unknown, words: () => StateWords | undefined = () => undefined) {
  const call: Call = async (endpoint, request) => {
    const read = endpoint.read(body, request)
    if (!read.ok) throw new Error(JSON.stringify(read.problems))
    return { kind: "done", value: read.value }
  }
  return resourcesOf(inOwnWords(call, words))
}

const valueOf = <T>(outcome: { kind: string; value?: T }) => outcome.value

it.each([
  ["Completed", "COMPLETED"],
  ["SUCCESSFUL ", "COMPLETED"],
  ["TIMED_OUT", "FAILED"],
])("a collection that says %j reads %s, and the word is kept", async (said, status) => {
  const outcome = await saying(execution(said)).status.collection(REFERENCE)
  expect(valueOf(outcome)).toMatchObject({
    status,
    statusSaid: said.trim(),
    wire: { status: said },
  })
})

it("a contract's word is only itself", async () => {
  const outcome = await saying(execution("COMPLETED")).status.collection(REFERENCE)
  expect(valueOf(outcome)).toMatchObject({ status: "COMPLETED", statusSaid: undefined })
})

it("a refund that timed out may have gone, and is not called failed", async () => {
  const outcome = await saying(execution("TIMED_OUT")).status.refund(REFERENCE)
  expect(valueOf(outcome)).toMatchObject({ status: "TIMED_OUT" })
})

it("a source reads the contract's word", async () => {
  const outcome = await saying(source("Paid")).status.source({ sourceType: "ORDER", sourceId: 7 })
  expect(valueOf(outcome)).toMatchObject({ status: "PAID" })
})

it("an account's own words are read in answers and lists, as they are at that moment", async () => {
  let names: Record<string, string> = {}
  const words = () => ownStateWords(names).words
  const ask = async () => {
    const executed = await saying(execution("Fertig"), words).status.refund(REFERENCE)
    const paid = await saying(source("SETTLED"), words).status.source({
      sourceType: "ORDER",
      sourceId: 7,
    })
    return [valueOf(executed)?.status, valueOf(paid)?.status]
  }
  expect(await ask()).toEqual(["Fertig", "SETTLED"])
  names = { "execution.COMPLETED": "fertig", "source.PAID": "settled" }
  expect(await ask()).toEqual(["COMPLETED", "PAID"])
  const order = { id: 7, order_number: "ORD-7", counterparty_id: 3, currency: "USD" }
  const list = await saying([{ ...order, status: "Settled" }], words).orders.list({})
  expect(valueOf(list)).toMatchObject([{ id: 7, status: "PAID" }])
})

it("what has no state, and what was not answered, stays as it is", async () => {
  const words = () => ownStateWords({ "execution.COMPLETED": "fertig" }).words
  const failed: Call = () => Promise.resolve({ kind: "unknown", error: { code: "x" } as never })
  const outcome = await resourcesOf(inOwnWords(failed, words)).status.refund(REFERENCE)
  expect(outcome.kind).toBe("unknown")
})
