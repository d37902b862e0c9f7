import { anOperation } from "../../integration-tests/support/an-operation"
import { refundOf } from "./view"

const reasonOf = (reason: string, messages: Readonly<Record<string, unknown>>) =>
  refundOf(
    {
      operation: anOperation({ type: "REFUND", state: "failed", reason }),
      messages,
    } as Parameters<typeof refundOf>[0],
    new Map(),
  ).reason

it.each([
  [{ gateway: "E-4711 at operator", wallet: null }, "E-4711 at operator"],
  [{ gateway: null, wallet: "Code 17" }, "Code 17"],
  [{ gateway: " ", wallet: "Code 17" }, "Code 17"],
])("a failure of an unknown reason says what the gateway wrote: %j", (messages, said) => {
  expect(reasonOf("unknown", messages)).toEqual({
    code: "unknown",
    said,
    en: `The gateway wrote: "${said}". That reason is not recognised.`,
  })
})

it.each([{}, { gateway: null, wallet: null }, { gateway: "" }])(
  "a failure without words says that the gateway gave no reason: %j",
  (messages) => {
    const en = "The gateway gave no reason that is recognised."
    expect(reasonOf("unknown", messages)).toEqual({ code: "unknown", said: null, en })
  },
)

it("a failure whose reason is recognised says it, and not the gateway's words", () => {
  const en = "It was declined."
  expect(reasonOf("declined", { gateway: "Nope" })).toEqual({ code: "declined", said: null, en })
})
