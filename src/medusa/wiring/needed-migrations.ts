import { readdirSync } from "node:fs"
import path from "node:path"

const FOLDER = path.resolve(__dirname, "../../modules/merchant-payments/migrations")

/** The names of this version's migrations, as Medusa's own table has them once they have run. */
export const NEEDED_MIGRATIONS: readonly string[] = readdirSync(FOLDER)
  .flatMap((file) => /^(Migration\d{14})\.[jt]s$/.exec(file)?.[1] ?? [])
  .sort()
