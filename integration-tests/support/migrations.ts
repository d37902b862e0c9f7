/** The statements of the ledger's migrations, as Medusa would run them: all that lie in their folder, in order. */
import fs from "node:fs"
import path from "node:path"
import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOLDER = path.resolve(__dirname, "../../src/modules/merchant-payments/migrations")

/** @param options `upTo` the name of the last one, for a database that an earlier version has left */
export async function migrationSql({ upTo }: { readonly upTo?: string } = {}): Promise<string[]> {
  const names = fs
    .readdirSync(FOLDER)
    .filter((file) => /^Migration\d+\.ts$/.test(file))
    .map((file) => path.basename(file, ".ts"))
    .sort()
  const wanted = names.filter((name) => upTo === undefined || name <= upTo)
  const statements: string[] = []
  for (const name of wanted) {
    const loaded: Record<string, unknown> = await import(path.join(FOLDER, name))
    const made: unknown = Reflect.construct(loaded[name] as new () => Migration, [])
    if (!(made instanceof Migration)) throw new Error(`${name} is no migration`)
    await made.up()
    statements.push(...made.getQueries().map(String))
  }
  return statements
}
