import type { z } from "zod"
import { dayIn } from "../../../../core/time-zone"
import type { FlowDeps } from "../../../../engine/deps"
import { databaseTime } from "../../../../ledger/database-time"
import { workIn } from "../../../../medusa/wiring/flows-from"
import { periodFile } from "../../../../reconciliation/period-file"
import { comparedPeriod, readPeriod } from "../../../../reconciliation/read-period"
import type { periodQuery } from "../../../../reconciliation/schemas/reconciliation"
import { askedComparison } from "../../../asked-period"
import { fileRoute } from "../../../routes"

export const GET = fileRoute("GET reconciliation", {
  json: async (deps, { query }, { scope }) =>
    readPeriod(deps, workIn(scope).run, await askedNow(deps, query)),
  csv: async (deps, { query }, { scope }) => {
    const period = await askedNow(deps, query)
    const accounts = await comparedPeriod(deps, workIn(scope).run, period)
    return {
      name: `reconciliation-${fileDays(period)}.csv`,
      lines: periodFile(deps, { ...period, accounts }),
    }
  },
})

const askedNow = async (
  { database, settings }: Pick<FlowDeps, "database" | "settings">,
  query: z.output<typeof periodQuery>,
) => askedComparison(query, settings.timeZone, await databaseTime(database))

/** `2026-11-01`, or `2026-11-01-to-2026-11-08`: the days that the file covers. */
function fileDays({ from, until, timeZone }: ReturnType<typeof askedComparison>): string {
  const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, new Date(until.getTime() - 1))]
  return first === last ? first : `${first}-to-${last}`
}
