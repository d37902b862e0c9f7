/** A support bundle has a payment's history, and nothing personal. */
import fc from "fast-check"
import type { AccountDeps } from "../../../src/accounts/deps"
import { supportBundle } from "../../../src/accounts/support-bundle"
import { startPayment } from "../../../src/checkout/start-payment"
import { accountDepsOf, setupOf } from "../../support/account-deps"
import { PHONE, PUSH, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"
import { testBox } from "../../support/test-box"

const VERSIONS = { plugin: "0.1.0", medusa: "2.21.2", node: "v20.19.0" }
/** Broken rules of the table: what it refuses can't stand in it. */
const REFUSED = ["23514", "23503", "23505", "22P02"]

let harness: FlowsHarness
let deps: AccountDeps

beforeAll(async () => {
  harness = await startFlowsHarness()
  deps = accountDepsOf(harness, {
    box: testBox,
    setup: setupOf(() => Promise.resolve({ providerIds: [], regions: [], knownCurrencies: {} })),
  })
})
afterAll(() => harness.stop())

async function begun(): Promise<string> {
  const { collectionId, sessionId } = harness.cart(PUSH)
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  return (await harness.shown(collectionId)).id
}

const bundleOf = (operationId: string, log: readonly string[] = []) =>
  supportBundle(deps, { operationId, log, versions: VERSIONS, variables: ["B", "A"] })

it("a bundle has versions, settings, health, counts, the payment's events and the log", async () => {
  const id = await begun()
  const bundle = await bundleOf(id, [`merchant payments: The gateway does not know it. ${id}`])
  const digest = expect.stringMatching(/^mpop#[0-9a-f]{10}$/)
  expect(bundle).toMatchObject({
    versions: { ...VERSIONS, postgres: expect.stringMatching(/^\d+/) },
    variables: ["A", "B"],
    accounts: [{ id: "mpacc_env", order_placement: expect.any(String) }],
    operations: [{ type: "COLLECTION", state: "in_flight", reason: null, count: 1 }],
    operation: { id: digest, state: "in_flight" },
    log: [
      `merchant payments: The gateway does not know it. ${String(Object(bundle.operation).id)}`,
    ],
  })
  const names = bundle.operation?.events.map(({ name }) => name) ?? []
  expect(names).toContain("submit")
  expect(
    (await supportBundle(deps, { ...bundle, operationId: "mpop_none", log: [] })).operation,
  ).toBe(null)
})

it("[D11] a bundle has no id and no key, whatever column, fact, setting or log line has it", async () => {
  const id = await begun()
  const { sql } = harness.ledger
  const [row = {}] = await sql("select to_jsonb(o) as row from mp_operation o where id = $1", [id])
  const ids = Object.entries(row["row"] as Record<string, unknown>).flatMap(([name, value]) =>
    /_id$|^id$|reference|token/.test(name) && typeof value === "string" ? [value] : [],
  )
  const made = ["payses", "order", "cart", "cus", "sk", "pk", "mpcred", "mpappr"].map(
    (kind, at) => `${kind}_${String(at).padStart(31, "0123456789abcdef0123456789abcde")}f`,
  )
  const secret = "Zq3_x-".repeat(6).slice(0, 32)
  const facts = Object.fromEntries([...made, secret].map((one, at) => [`key_${at}`, one]))
  await sql("update mp_operation_event set facts = $2 where operation_id = $1", [
    id,
    JSON.stringify({ ...facts, order_id: made[1], [made[0] ?? ""]: made }),
  ])
  const all = [...ids, ...made, secret]
  expect(all.length).toBeGreaterThan(12)
  const text = JSON.stringify(
    await bundleOf(
      id,
      all.map((one) => `merchant payments: ${one}`),
    ),
  )
  for (const one of all.filter((each) => !/^(mpacc_env|pp_)/.test(each))) {
    expect(text).not.toContain(one)
  }
})

it("a bundle has nothing personal, whatever column, fact, setting or log line has it", async () => {
  const id = await begun()
  const { sql } = harness.ledger
  const columns = await sql(
    `select column_name as name, data_type as type from information_schema.columns
      where table_name = 'mp_operation' and data_type in ('text', 'jsonb') and column_name <> 'id'`,
  )
  const word = fc.stringMatching(/^[A-Z][a-z]{2,8}qj[a-z]{2,4}$/)
  const phone = fc.stringMatching(/^(\+231 |0|250)7[0-9]{2} ?[0-9]{3} ?[0-9]{3}$/)
  await fc.assert(
    fc.asyncProperty(word, phone, async (who, number) => {
      const text = `${who} ${who}@${who}.example ${number}`
      let written = 0
      for (const { name, type } of columns) {
        const value = type === "jsonb" ? JSON.stringify({ [who]: [text] }) : text
        await sql(`update mp_operation set ${String(name)} = $2 where id = $1`, [id, value]).then(
          () => (written += 1),
          (error: { code?: string }) => {
            if (!REFUSED.includes(error.code ?? "")) throw error
          },
        )
      }
      expect(written).toBeGreaterThan(15)
      await sql(`update mp_operation_event set facts = $2 where operation_id = $1`, [
        id,
        JSON.stringify({ note: text, fields: { [who]: [text, number] } }),
      ])
      await sql(`update mp_account set label = $1`, [text])
      const bundle = JSON.stringify(await bundleOf(id, [`merchant payments: ${text}`, text]))
      expect(bundle).not.toMatch(/qj/i)
      const digits = number.replace(/\D/g, "").slice(-7)
      expect(bundle.replace(/[ .+()-]/g, "")).not.toContain(digits)
    }),
    { numRuns: 20 },
  )
})
