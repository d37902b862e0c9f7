/** The statements of the plugin's migrations, as Medusa runs them. */
import fs from "node:fs"
import path from "node:path"
import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export const MIGRATIONS = path.resolve(__dirname, "../../src/modules/merchant-payments/migrations")

/** Its tables are in stores, so it is never changed again. */
export const FIRST_MIGRATION = "Migration20261120090000"

/** Names of all migrations in the order in which they run: each name is its time. */
export const migrationNames = (): string[] =>
  fs
    .readdirSync(MIGRATIONS)
    .flatMap((file) => /^(Migration\d{14})\.ts$/.exec(file)?.[1] ?? [])
    .sort()

/** The statements of all migrations, or of these, in their order; those of `down` from the last. */
export async function migrationSql(
  direction: "up" | "down",
  names: readonly string[] = migrationNames(),
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
