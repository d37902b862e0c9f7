/** The statements of the plugin's migrations, as Medusa runs them. */
import path from "node:path"
import { Migration } from "@medusajs/framework/mikro-orm/migrations"
import { NEEDED_MIGRATIONS } from "../../src/medusa/wiring/needed-migrations"

export const MIGRATIONS = path.resolve(__dirname, "../../src/modules/merchant-payments/migrations")

/** Its tables are in stores, so it is never changed again. */
export const FIRST_MIGRATION = "Migration20261120090000"

/** As Medusa's migrator keeps what it has run. */
const RAN = `
  create table if not exists mikro_orm_migrations
    (id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)`

/** What Medusa's own table says has run, written anew. */
export const ranSql = (names: readonly string[] = NEEDED_MIGRATIONS): string[] => [
  RAN,
  "truncate mikro_orm_migrations",
  ...names.map((name) => `insert into mikro_orm_migrations (name) values ('${name}')`),
]

/** The statements of all migrations, or of these, in their order; those of `down` from the last. */
export async function migrationSql(
  direction: "up" | "down",
  names: readonly string[] = NEEDED_MIGRATIONS,
): Promise<string[]> {
  const ordered = direction === "up" ? names : [...names].reverse()
  const statements: string[] = []
  for (const name of ordered) statements.push(...(await statementsOf(name, direction)))
  return statements
}

async function statementsOf(name: string, direction: "up" | "down"): Promise<string[]> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const found: unknown = require(path.join(MIGRATIONS, name))
  const exported: unknown = Reflect.get(Object(found), name)
  if (typeof exported !== "function") throw new Error(`${name}.ts exports no class of its name`)
  // Medusa gives it a driver, which it does not use.
  const migration: unknown = Reflect.construct(exported, [])
  if (!(migration instanceof Migration)) throw new Error(`${name} is no migration`)
  await migration[direction]()
  return migration.getQueries().map(String)
}
