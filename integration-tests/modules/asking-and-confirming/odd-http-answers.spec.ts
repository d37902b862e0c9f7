/**
 * A gateway whose HTTP answers have unknown forms, read through the account's real client: what the
 * setup check shows of them, for how long, and that no payment waits for it.
 */
import { readHealth } from "../../../src/accounts/read-health"
import type { AccountDeps } from "../../../src/accounts/deps"
import { LIMITS } from "../../../src/core/limits"
import { keepGatewayForms, readGatewayForms } from "../../../src/ledger/accounts/gateway-forms"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import type { Database } from "../../../src/ledger/database"
import { readEnvironment } from "../../../src/medusa/environment"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { retain } from "../../../src/reconciliation/retain"
import { EXECUTION, REFERENCE, SOURCE } from "../../gateway/calls"
import { json, startScriptedServer, type ScriptedServer } from "../../gateway/scripted-server"
import { until } from "../../support/until"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()

const CONTENT = ["231770000042", "Musu Kollie", "sk_live_1", "Fertig", "Anders"]

let server: ScriptedServer
let word = "Fertig"

beforeAll(async () => {
  server = await startScriptedServer({
    answers: [
      (response, request) => {
        const body = request.path.includes("status/source")
          ? { ...SOURCE, total_amount: "1,250.50", source_number: { name: "Musu Kollie" } }
          : { ...EXECUTION, status: word, gateway_message: ["231770000042", "sk_live_1"] }
        json(200, body, { "content-type": "text/html" })(response, request)
      },
    ],
  })
})

afterAll(() => server.close())

const FORMS = [
  "status.collection: status (unknown_word)",
  "status.collection: content-type (other_type)",
  "status.collection: gateway_message (list)",
  "status.source: content-type (other_type)",
  "status.source: source_number (object)",
  "status.source: total_amount (grouped)",
]

async function started(database: Database = harness.ledger.database) {
  let nowMs = 0
  const environment = readEnvironment(
    {
      MERCHANT_PAYMENTS_BASE_URL: server.url,
      MERCHANT_PAYMENTS_CLIENT_ID: "client",
      MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
    },
    { account: { currencies: ["USD"] } },
  )
  const { account } = environment
  if (!account) throw new Error("there is no account")
  await saveAccount(harness.ledger.database, account)
  const box = secretBoxOf({})
  const { logger } = harness.deps
  const clock = { monotonicMs: () => nowMs }
  const clients = accountClients({ database, environment, box, logger, clock })
  const deps: AccountDeps = {
    ...harness.deps,
    ...clients,
    box,
    tables: { missing: () => Promise.resolve([]) },
    setup: {
      read: () => Promise.resolve({ providerIds: [], regions: [], knownCurrencies: {} }),
      setRegionProviders: () => Promise.resolve(),
      unlistProviders: () => Promise.resolve(),
      regionsOfCarts: () => Promise.resolve(new Map()),
      locking: null,
      workflowEngine: null,
    },
    environment: { id: account.id, account, clientId: "client", sources: environment.sources },
    openGateway: () => Promise.reject(new Error("not asked")) as never,
    openEnvironmentGateway: () => undefined,
  }
  const [saved] = await clients.accounts()
  const gateway = saved && clients.gatewayOf(saved)
  if (!gateway) throw new Error("there is no client")
  const read = async () => {
    nowMs += LIMITS.accountsCacheMs
    await clients.accounts()
  }
  return { deps, account, gateway, read }
}

async function lineOf(deps: AccountDeps) {
  const health = await readHealth(deps)
  const line = health.checks.find(({ name }) => name === "gateway_forms")
  if (!line) throw new Error("there is no line")
  for (const content of CONTENT) expect(JSON.stringify(health)).not.toContain(content)
  return line
}

const kept = () => readGatewayForms(harness.ledger.database)

it("the setup check lists unknown forms until the word is named, or none has come for a month", async () => {
  const { deps, account, gateway, read } = await started()
  expect(await lineOf(deps)).toMatchObject({ status: "ok", code: "forms_known" })
  const ask = async () => [
    (await gateway.status.collection(REFERENCE)).kind,
    (await gateway.status.source({ sourceType: "ORDER", sourceId: 301 })).kind,
  ]
  expect(await ask()).toEqual(["done", "done"])
  expect(await ask()).toEqual(["done", "done"])
  await until(async () => (await kept()).length === FORMS.length, "the forms are kept")
  expect(await lineOf(deps)).toMatchObject({
    status: "note",
    code: "forms_unknown_more",
    facts: { count: 6, more: 1, forms: FORMS.slice(0, LIMITS.gatewayFormsShown).join("; ") },
  })

  await saveAccount(harness.ledger.database, {
    ...account,
    wireNames: { "execution.COMPLETED": "fertig" },
  })
  await read()
  const facts = { forms: FORMS.slice(1).join("; ") }
  expect(await lineOf(deps)).toMatchObject({ code: "forms_unknown", facts })
  await ask()
  word = "Anders"
  await ask()
  await until(async () => (await kept()).length === FORMS.length, "the other word is kept")

  const age = "update mp_gateway_form set last_at = now() - interval '31 days' where operation = $1"
  await harness.ledger.sql(age, ["status.source"])
  expect((await lineOf(deps)).facts["count"]).toBe(3)
  await retain({ ...deps, database: harness.ledger.database }, () => Promise.resolve())
  const rows = await harness.ledger.sql("select distinct operation from mp_gateway_form")
  expect(rows).toEqual([{ operation: "status.collection" }])
})

it("an answer doesn't wait until its forms are kept, and is the same when they can't be", async () => {
  const { database } = harness.ledger
  const asked: string[] = []
  const broken: Database = {
    ...database,
    query: (sql, parameters) => {
      asked.push(sql)
      if (!sql.includes("mp_gateway_form")) return database.query(sql, parameters)
      return Promise.reject(new Error("down"))
    },
  }
  const { gateway } = await started(broken)
  expect((await gateway.status.collection(REFERENCE)).kind).toBe("done")
  expect(asked.filter((sql) => sql.includes("mp_gateway_form"))).toEqual([])
  await until(async () => asked.some((sql) => sql.includes("mp_gateway_form")), "it is tried")
  expect((await gateway.status.collection(REFERENCE)).kind).toBe("done")
})

it("a gateway of another kind doesn't fill the table, and the forms that are kept stay up to date", async () => {
  const { ledger } = harness
  const formOf = (index: number) => ({
    ...{ accountId: "mpacc_env", operation: "status.source", field: `field_${index}` },
    ...{ kind: "text", wireNames: {} },
  })
  const many = Array.from({ length: LIMITS.gatewayFormsMax + 50 }, (_, index) => formOf(index))
  await keepGatewayForms(ledger.database, many.slice(0, 20))
  await ledger.sql("update mp_gateway_form set last_at = now() - interval '2 days'")
  await keepGatewayForms(ledger.database, many)
  const gone = { ...formOf(0), accountId: "mpacc_gone" }
  await keepGatewayForms(ledger.database, [gone])
  const [row] = await ledger.sql(
    `select count(*)::int as rows, bool_and(last_at > now() - interval '1 day') as fresh
       from mp_gateway_form where field like 'field_%'`,
  )
  expect(row?.["fresh"]).toBe(true)
  const [all] = await ledger.sql("select count(*)::int as rows from mp_gateway_form")
  expect(all?.["rows"]).toBe(LIMITS.gatewayFormsMax)
})
