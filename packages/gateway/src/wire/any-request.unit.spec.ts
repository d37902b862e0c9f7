/** Any request from plain JavaScript is either refused with its field or can be sent. */
import type { Call } from "../call"
import { resourcesOf } from "../create-gateway"
import { targetOf } from "../endpoint"
import { CALLS } from "../../../../integration-tests/gateway/calls"
import type { CallCase } from "../../../../integration-tests/gateway/calls"

type Fields = Readonly<Record<string, unknown>>

/** Optional fields that the table's calls leave out. */
const LEFT_OUT: Partial<Record<CallCase["operation"], Fields>> = {
  "checkouts.create": {
    partyName: "",
    partyEmail: "",
    note: "",
    successUrl: "",
    cancelUrl: "",
    referenceId: "",
  },
}

/** Values that no field accepts, and that `JSON.stringify` throws at or drops silently. */
const UNSENDABLE: readonly (readonly [string, unknown])[] = [
  ["a bigint", 1n],
  ["a symbol", Symbol("x")],
  ["a function", () => 1],
  [
    "an object that can't be written",
    {
      toJSON() {
        throw new Error("no")
      },
    },
  ],
]

/** A call's request, and which problems another request in its place has. */
function askedBy(call: CallCase): { request: Fields; refusing: (other: Fields) => string[] } {
  let asked: ReturnType<typeof askedBy> | undefined
  const ask: Call = (endpoint, request) => {
    const good = request ?? {}
    asked = {
      request: { ...LEFT_OUT[call.operation], ...good },
      refusing: (other) => {
        const spoilt = other as typeof request
        const written = endpoint.write(spoilt)
        if (!written.ok) return written.problems.map((problem) => problem.path)
        targetOf(endpoint.operation, written.value)
        return []
      },
    }
    return new Promise(() => undefined)
  }
  void call.run({
    ...resourcesOf(ask),
    token: { check: () => new Promise(() => undefined), failures: 0 },
    isDenied: false,
    close: () => Promise.resolve(),
  })
  if (!asked) throw new Error(`${call.operation} asks for nothing`)
  return asked
}

describe.each(CALLS)("$operation", (call) => {
  const { request, refusing } = askedBy(call)

  it("may be sent as it is", () => {
    expect(refusing(request)).toEqual([])
  })

  it.each(UNSENDABLE)("refuses %s in any field, by name", (_, value) => {
    for (const name of Object.keys(request)) {
      const [path = ""] = refusing({ ...request, [name]: value })
      expect(path.split(".")[0]).toBe(name)
    }
  })

  it("refuses or can send half a surrogate pair", () => {
    for (const name of Object.keys(request)) {
      expect(() => refusing({ ...request, [name]: "\ud800" })).not.toThrow()
    }
  })
})
