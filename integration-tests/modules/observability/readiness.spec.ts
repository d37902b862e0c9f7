/**
 * The readiness probe: its answer for a database that answers, is away, hangs, or lacks tables, and
 * how often it asks the database.
 */
import { readinessOf } from "../../../src/api/readiness"
import { LIMITS } from "../../../src/core/limits"
import type { Database } from "../../../src/ledger/database"
import { fittingTables } from "../../../src/ledger/fitting-tables"
import { drivenClock } from "../../support/driven-clock"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const clock = drivenClock()
const logger = { info: () => undefined, error: () => undefined }

const over = (query: Database["query"]) => ({ clock, database: { query } })
const real: Database["query"] = (...given) => harness.ledger.database.query(...given)

it("the store is ready while the database answers", async () => {
  expect(await readinessOf(over(real))).toBe(true)
})

it("the store is not ready while the database is away", async () => {
  expect(await readinessOf(over(() => Promise.reject(new Error("away"))))).toBe(false)
})

it("the store is not ready while the database hangs", async () => {
  expect(await readinessOf(over(() => new Promise(() => undefined)))).toBe(false)
})

it("the store is not ready while the tables lack what this version needs", async () => {
  const { database } = fittingTables({ query: real }, { clock, logger }, ["a later migration"])
  expect(await readinessOf({ clock, database })).toBe(false)
})

it("the probe asks the database once in a while, however often it is called", async () => {
  let asked = 0
  const deps = over(async (...given) => {
    asked += 1
    return real(...given)
  })
  await Promise.all(Array.from({ length: 50 }, () => readinessOf(deps)))
  expect(asked).toBe(1)
  clock.pass(LIMITS.readyKeptMs)
  await readinessOf(deps)
  expect(asked).toBe(2)
})
