/** Any answer to any operation is read or refused; it never makes the reader throw. */
import fc from "fast-check"
import type { Call } from "../call"
import { resourcesOf } from "../create-gateway"
import { CALLS, REFERENCE } from "../../../integration-tests/gateway/calls"
import type { CallCase } from "../../../integration-tests/gateway/calls"
import type { Parsed } from "./reading"

/** The reader of a call, taken from the call itself. */
function readerOf(call: CallCase): (body: unknown) => Parsed<unknown> {
  let read: ((body: unknown) => Parsed<unknown>) | undefined
  const asked: Call = (endpoint, request) => {
    read = (body) => endpoint.read(body, request)
    return new Promise(() => undefined)
  }
  void call.run({
    ...resourcesOf(asked),
    token: { check: () => new Promise(() => undefined), failures: 0 },
    isDenied: false,
    close: () => Promise.resolve(),
  })
  if (!read) throw new Error(`${call.operation} asks for nothing`)
  return read
}

/** Values to put in place of a field: any JSON, and values of other fields. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, "USD", "25.00", 0, -1, 1e300, 301, "301", REFERENCE, "ORDER", true),
)

describe.each(CALLS)("$operation", (call) => {
  const read = readerOf(call)

  it("reads its good answer", () => {
    expect(read(call.body).ok).toBe(true)
  })

  it("reads or refuses any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(read(body)).toHaveProperty("ok")
      }),
    )
  })

  it("reads or refuses an answer with any fields spoilt, and keeps it as it came", () => {
    const list: readonly Readonly<Record<string, unknown>>[] = [call.body].flat()
    const [good = {}] = list
    const names = fc.constantFrom(...Object.keys(good), "a_field_without_a_name_here")
    const spoilt = fc.dictionary(names, odd, { maxKeys: 3 })
    fc.assert(
      fc.property(spoilt, (change) => {
        const body = { ...good, ...change }
        const parsed = read(Array.isArray(call.body) ? [body] : body)
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0)
        else expect([parsed.value].flat()).toMatchObject([{ wire: body }])
      }),
    )
  })
})
