import { Migration20261120090000 } from "../../src/modules/merchant-payments/migrations/Migration20261120090000"

/** The statements of the migration, as Medusa runs them. */
export async function migrationSql(direction: "up" | "down"): Promise<string[]> {
  // Medusa gives it a driver, which it does not use.
  const migration: unknown = Reflect.construct(Migration20261120090000, [])
  if (!(migration instanceof Migration20261120090000)) throw new Error("it is no migration")
  await migration[direction]()
  return migration.getQueries().map(String)
}
