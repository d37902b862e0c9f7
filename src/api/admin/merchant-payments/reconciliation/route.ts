import { databaseTime } from "../../../../ledger/database-time"
import { periodFile } from "../../../../reconciliation/period-file"
import { comparedPeriod, readPeriod } from "../../../../reconciliation/read-period"
import { workIn } from "../../../../medusa/wiring/flows-from"
import { fileRoute } from "../../../respond-file"
import type { ReconciliationResponse } from "../../../../reconciliation/rules/reconciliation-responses"
import type { Period } from "../../../../reconciliation/rules/reconciliation"
import { dayIn } from "../../../../core/time-zone"
import type { FlowDeps } from "../../../../engine/deps"
import { periodRequest } from "./input"

/**
 * The comparison of gateway, ledger and Medusa over a period: JSON for the page, CSV for the
 * merchant's own programs. Begins a comparison if one is needed, and never waits for it.
 */
export const GET = fileRoute(
  async (deps, request): Promise<ReconciliationResponse> =>
    readPeriod(deps, workIn(request.scope).run, await periodIn(deps, request)),
  async (deps, request) => {
    const period = await periodIn(deps, request)
    const accounts = await comparedPeriod(deps, workIn(request.scope).run, period)
    return {
      name: `reconciliation-${fileDays(period)}.csv`,
      lines: periodFile(deps, { ...period, accounts }),
    }
  },
)

const periodIn = async (
  { database, settings }: Pick<FlowDeps, "database" | "settings">,
  { query }: { readonly query: unknown },
) => periodRequest(query, await databaseTime(database), settings.timeZone)

/** `2026-11-01`, or `2026-11-01-to-2026-11-08`: the days that the file covers. */
function fileDays({ from, until, timeZone }: Period & { readonly timeZone: string }): string {
  const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, new Date(until.getTime() - 1))]
  return first === last ? first : `${first}-to-${last}`
}
