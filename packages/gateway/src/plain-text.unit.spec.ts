import fc from "fast-check"
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import { json } from "../../../integration-tests/gateway/scripted-server"
import { Invalid } from "./errors"
import type { GatewayError } from "./errors"
import { mayBeOfText, plainText, sendable } from "./plain-text"

afterEach(closeBenches)

const refusal = (detail: unknown) => json(422, { detail })
const ofField = (...loc: string[]) => refusal([{ loc: ["body", ...loc], msg: "not allowed" }])

const PARTY = {
  fullname: "Élodie O'Brien & fils 🌍",
  phone: "231770000001",
  email: "elodie+shop@example.com",
}
const MADE = { id: 7, fullname: "Elodie", phone: "231770000001" }

const CHECKOUT = {
  mode: "HOSTED" as const,
  sourceType: "ORDER" as const,
  partyPhone: "231770000001",
  partyName: "Élodie",
  partyEmail: "elodie+shop@example.com",
  currency: "USD" as const,
  note: "Merci",
  items: [
    { name: "Café", amount: { major: "12.50", currency: "USD" as const } },
    { name: "Thé & eau", amount: { major: "2.49", currency: "USD" as const } },
  ],
  referenceId: "mpop_1",
}

describe("what is sent", () => {
  it("has no control or direction characters, whatever a text holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(sendable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
      }),
    )
    expect(sendable("Tea\u202e\u200f\u061c\r\nand\tcoffee")).toBe("Tea and coffee")
    expect(sendable("Élodie 🌍")).toBe("Élodie 🌍")
  })

  it("is written so in each body", async () => {
    const { server, gateway } = await bench({ answers: [json(200, MADE)] })
    await gateway.parties.create({ ...PARTY, fullname: "Ada\u202e\u0007 Lovelace" })
    expect(JSON.parse(server.calls[0]?.body ?? "")).toMatchObject({ fullname: "Ada  Lovelace" })
  })
})

describe("the plain form of a text", () => {
  it("is short, of letters, digits, dots and hyphens, and never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainText(text, "Item")).toMatch(/^[A-Za-z0-9.-](?:[A-Za-z0-9. -]{0,38}\S)?$/)
      }),
    )
    expect(plainText("Élodie O'Brien & fils 🌍", "Customer")).toBe("Elodie O Brien fils")
    expect(plainText("咖啡", "Item")).toBe("Item")
  })
})

describe("a refusal that may be of a text", () => {
  it.each([
    ["a name", ofField("fullname"), true],
    ["an e-mail", ofField("email"), true],
    ["a line's name", ofField("items", "0", "name"), true],
    ["the number of lines", ofField("items"), true],
    ["an amount", ofField("items", "0", "amount"), false],
    ["a phone number", ofField("phone"), false],
    ["words about a text", refusal("Special characters are not allowed"), true],
    ["words about something else", refusal("The amount is below the minimum"), false],
    ["nothing", json(422, {}), true],
  ])("%s: asked again: %#", async (_, answer, isText) => {
    const { server, gateway } = await bench({ answers: [answer, json(200, MADE)] })
    const outcome = await gateway.parties.create(PARTY)
    expect([outcome.kind, server.calls.length]).toEqual(isText ? ["done", 2] : ["refused", 1])
  })

  it("is none where the request was never sent, or where it is no 422", () => {
    const facts = { operation: "parties.create", reason: "request" } as const
    expect(mayBeOfText(new Invalid("", facts))).toBe(false)
  })
})

describe("a refused text", () => {
  it("is met once by the plain form, and is said", async () => {
    const said: GatewayError[] = []
    const plainTexts = {
      isWanted: () => Promise.resolve(said.length > 0),
      want: (refused: GatewayError) => void said.push(refused),
    }
    const answers = [ofField("email"), json(200, MADE)]
    const { server, gateway } = await bench({ answers }, { plainTexts })
    expect((await gateway.parties.create(PARTY)).kind).toBe("done")
    expect((await gateway.parties.create(PARTY)).kind).toBe("done")
    const bodies = server.calls.map(({ body }) => JSON.parse(body) as object)
    const plain = { fullname: "Elodie O Brien fils", phone: "231770000001" }
    expect(bodies).toEqual([expect.objectContaining({ email: PARTY.email }), plain, plain])
    expect(said.map((refused) => refused.said)).toEqual(["email: not allowed"])
  })

  it.each([
    ["as a sentence", 422, { message: "party_name: invalid" }],
    ["with 400", 400, { message: "Invalid input", errors: { party_name: ["invalid"] } }],
    ["as a list without fields", 422, { detail: [{ loc: [], msg: "Name is too long" }] }],
  ])("is met wherever a back end says it: %s", async (_, status, body) => {
    const { server, gateway } = await bench({ answers: [json(status, body)] })
    await gateway.checkouts.create(CHECKOUT)
    expect(server.calls).toHaveLength(2)
  })

  it("leaves the money as it is: one line of all, at the same total", async () => {
    const { server, gateway } = await bench({ answers: [ofField("items")] })
    expect((await gateway.checkouts.create(CHECKOUT)).kind).toBe("refused")
    const [, plain] = server.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(plain).toMatchObject({
      items: [{ name: "Order", currency: "USD" }],
      party_phone: "231770000001",
      reference_id: "mpop_1",
    })
    const [line] = plain?.["items"] as { amount: unknown }[]
    expect(Number(line?.amount)).toBe(14.99)
    for (const left of ["party_name", "party_email", "note"]) expect(plain).not.toHaveProperty(left)
  })

  it("waits for no answer of its keeper, whose hanging must not outlast the call", async () => {
    const plainTexts = {
      isWanted: () => new Promise<boolean>(() => undefined),
      want: () => undefined,
    }
    const { server, gateway } = await bench({ answers: [json(200, MADE)] }, { plainTexts })
    expect((await gateway.parties.create(PARTY, { deadlineMs: 400 })).kind).toBe("done")
    expect(server.calls).toHaveLength(1)
  })

  it("that is refused again is answered with the first refusal, and nothing is kept", async () => {
    const kept: unknown[] = []
    const plainTexts = {
      isWanted: () => Promise.resolve(false),
      want: (refused: GatewayError) => void kept.push(refused),
    }
    const answers = [ofField("fullname"), ofField("phone")]
    const { server, gateway } = await bench({ answers }, { plainTexts })
    expect(await gateway.parties.create(PARTY)).toMatchObject({
      kind: "refused",
      error: { fields: [{ path: "fullname" }] },
    })
    expect([server.calls.length, kept.length]).toEqual([2, 0])
  })

  it("of what moves money is never sent again", async () => {
    const { server, gateway } = await bench({ answers: [ofField("client", "name")] })
    const outcome = await gateway.executions.refund({
      sessionId: 7,
      referenceId: "6f0f2c0e-4f0e-4d1f-9c53-0e7f2f8a6a11",
    })
    expect([outcome.kind, server.calls.length]).toEqual(["refused", 1])
  })
})
