import Fastify from "fastify"

import { openApi } from "../api/serve"
import { operation } from "../api/operation"
import { operationsOf } from "../api/operations"
import { createTokens } from "../api/tokens"
import { Book } from "../book/book"
import { systemClock, timeOf } from "../clock"
import { ownContract, type ContractViolation } from "../contract/contract"
import { createFaults } from "../faults"
import { resolved } from "../options"
import { createPlans } from "../plans"
import { randomFrom } from "../random"
import { createExchange } from "../rules/exchange"
import {
  credentialsOf,
  MINUTE_MS,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
} from "../testing/client"
import { createDraws } from "../wire/draws"
import { createWire } from "../wire/wire"

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ isStrict: false })
})
afterAll(() => bench.close())

test("no answer of a collection breaks the contract", async () => {
  await bench.call("POST", "/v1/jwt/client/obtain/token", {}, {})
  for (const [kind, path] of Object.entries({ ORDER: "orders", INVOICE: "invoices" })) {
    for (const ending of ["00", "01", "08"]) {
      const { source, execution } = await readyToExecute(bench, phoneEnding(ending), {
        source_kind: kind,
        due_date: "2026-02-01T00:00:00Z",
        expires_at: "2026-02-01T00:00:00+00:00",
        success_url: "https://shop.example/",
      })
      const id = String(source["source_id"])
      await bench.call("POST", "/v1/executions/collection", execution)
      await bench.call("GET", `/v1/status/collection/${execution["reference_id"]}`)
      bench.clock.advance(MINUTE_MS)
      await bench.call("GET", `/v1/status/collection/${execution["reference_id"]}`)
      await bench.call("GET", "/v1/status/collection/unknown")
      await sourceStatus(bench, source)
      await bench.call("GET", "/v1/status/source?source_type=SUBSCRIPTION&source_id=x")
      await bench.call("GET", `/v1/${path}/retrieve/${id}`)
      await bench.call("PUT", `/v1/${path}/publish/${id}`)
      await bench.call("DELETE", `/v1/${path}/cancel/${id}`)
      await bench.call("GET", `/v1/${path}/list?currency=USD`)
      await bench.call("GET", `/v1/${path}/list?currency=usd`, undefined, {})
    }
  }
  expect(bench.simulator.contractViolations).toEqual([])
})

test("a form is no JSON, with which nothing is done", async () => {
  const { body } = await bench.call("POST", "/v1/jwt/client/obtain/token", credentialsOf({}), {})
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  const posted = (path: string, fields: Record<string, string>) =>
    fetch(`${bench.simulator.url}${path}`, {
      method: "POST",
      headers,
      body: new URLSearchParams(fields),
    })
  const token = await posted("/v1/jwt/client/obtain/token", credentialsOf({}))
  expect(token.status).toBe(422)
  const party = await posted("/v1/parties/create", { fullname: "Ada", phone: phoneEnding("00") })
  expect(party.status).toBe(422)
  expect(await party.json()).toMatchObject({ detail: [{ loc: ["body"] }] })
})

test("every operation of the contract is played, and no other", () => {
  const played = operationsOf(createTokens("")).map(({ id }) => id)
  const known = ownContract().routes.map(({ operation: id }) => id)
  expect([...played].sort()).toEqual([...known].sort())
  expect(known).toHaveLength(59)
})

test("an answer that breaks the contract is noticed when it is sent", async () => {
  const violations: ContractViolation[] = []
  const app = Fastify({ forceCloseConnections: true })
  const parts = {
    world: {
      book: new Book(),
      time: timeOf(systemClock, 1),
      random: randomFrom("1", () => 1),
      plans: createPlans(),
      settings: resolved({}),
      exchange: createExchange(),
      habits: createDraws([], "1"),
      predictedCards: new Map<number, string>(),
      publicUrl: () => "",
    },
    contract: ownContract(),
    tokens: createTokens("1"),
    faults: createFaults([]),
    rateLimit: () => {},
    wire: createWire([], "1"),
    calls: {},
    latencyMs: 0,
    refuseFor: () => {},
    closing: new AbortController().signal,
    onViolation: (violation: ContractViolation) => void violations.push(violation),
  }
  openApi(app, parts, [operation("clientObtainToken", () => ({ expires_in: "60" }))])
  const address = await app.listen({ port: 0 })
  const { status } = await fetch(`${address}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "a", client_secret: "b" }),
  })
  expect(status).toBe(200)
  expect(violations).toMatchObject([{ operation: "clientObtainToken", status: 200 }])
  expect(violations[0]?.message).toContain("access_token")
  await app.close()
})
