/**
 * The words that an account's `wire_names` give for states, from the database to the payment's end,
 * at a gateway that answers over HTTP in these words.
 */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import { systemClock } from "../../../src/core/ports"
import { readEnvironment } from "../../../src/medusa/environment"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { testBox } from "../../support/test-box"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread } = actsIn(harness)
/** What this gateway writes instead of the contract's words. */
const WRITTEN = { COMPLETED: "Green", FAILED: "Red" }

let inOwnWords: Server
let baseUrl = ""

/** Passes each call on to the simulator, and rewrites the state in a status. */
beforeAll(async () => {
  inOwnWords = createServer((request, response) => {
    const pass = async () => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const { authorization, "content-type": type } = request.headers
      const answer = await fetch(`${harness.simulator.url}${request.url ?? ""}`, {
        method: request.method ?? "GET",
        headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
        ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
      })
      const text = await answer.text()
      const isStatus = request.url?.startsWith("/v1/status/collection/")
      response.writeHead(answer.status, { "content-type": "application/json" })
      response.end(
        isStatus
          ? text.replace(
              /"status":\s*"(COMPLETED|FAILED)"/,
              (_, state: keyof typeof WRITTEN) => `"status":"${WRITTEN[state]}"`,
            )
          : text,
      )
    }
    pass().catch(() => response.destroy())
  })
  inOwnWords.listen(0, "127.0.0.1")
  await once(inOwnWords, "listening")
  baseUrl = `http://127.0.0.1:${(inOwnWords.address() as AddressInfo).port}`
})

afterAll(() => {
  inOwnWords.closeAllConnections()
  inOwnWords.close()
})

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

/** A store that begins with these names in its account's row. */
async function storeWith(wireNames: Readonly<Record<string, string>>): Promise<FlowDeps> {
  await harness.ledger.sql("update mp_account set wire_names = $1 where id = 'mpacc_env'", [
    JSON.stringify(wireNames),
  ])
  const environment = readEnvironment(
    {
      MERCHANT_PAYMENTS_BASE_URL: baseUrl,
      MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
      MERCHANT_PAYMENTS_CLIENT_SECRET: "simulator-secret",
    },
    {},
  )
  const { database } = harness.ledger
  const { logger } = harness.deps
  const parts = { database, environment, box: testBox, logger, clock: systemClock }
  return { ...harness.deps, ...accountClients(parts) }
}

async function underWay(deps: FlowDeps) {
  const { sessionId, collectionId } = harness.cart()
  await startPayment(deps, { sessionId, phone: PHONE })
  return harness.shown(collectionId)
}

async function checked(deps: FlowDeps, { id }: { readonly id: string }, afterMs: number) {
  await harness.pass(id, afterMs)
  await checkNow(deps, id)
  return reread({ id })
}

const WORDS = { "execution.COMPLETED": "green,lime", "execution.FAILED": "red" }

it("a word that the account maps to COMPLETED completes the payment", async () => {
  const deps = await storeWith(WORDS)
  const operation = await underWay(deps)
  harness.simulator.handset.approve(operation.reference ?? "")
  const now = await checked(deps, operation, 3 * SECOND)
  expect(now).toMatchObject({ state: "completed", collected: operation.amount })
  expect(now.recordedAt).not.toBeNull()
})

it("a word that the account maps to FAILED fails the payment once seen twice", async () => {
  const deps = await storeWith(WORDS)
  const operation = await underWay(deps)
  harness.simulator.handset.decline(operation.reference ?? "")
  expect(await checked(deps, operation, 3 * SECOND)).toMatchObject({ state: "in_flight" })
  expect(await checked(deps, operation, 6 * SECOND)).toMatchObject({ state: "failed" })
})

it("a word that the account doesn't map ends nothing", async () => {
  const deps = await storeWith({})
  const operation = await underWay(deps)
  harness.simulator.handset.decline(operation.reference ?? "")
  await checked(deps, operation, 3 * SECOND)
  expect(await checked(deps, operation, 6 * SECOND)).toMatchObject({ state: "in_flight" })
})
