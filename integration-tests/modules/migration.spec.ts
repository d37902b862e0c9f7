/** The one migration: what it makes, and that taking it back leaves nothing. */
import { startLedgerDatabase, type LedgerDatabase } from "../support/ledger-database"
import { migrationSql } from "../support/migration-sql"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const run = async (direction: "up" | "down") => {
  for (const statement of await migrationSql(direction)) await ledger.sql(statement)
}

const relations = async () => {
  const rows = await ledger.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace order by relname`,
  )
  return rows.map(({ relname }) => String(relname))
}

it("makes the same tables again after it was taken back, and leaves none in between", async () => {
  const made = await relations()
  expect(made.filter((name) => name.startsWith("mp_") && !name.endsWith("_pkey"))).toHaveLength(21)
  await run("down")
  expect(await relations()).toEqual([])
  await run("up")
  expect(await relations()).toEqual(made)
})
