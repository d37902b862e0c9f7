/** The reconciliation of a period as its route answers: the page, and the two files made from it. */
import { askedComparison } from "../../src/api/asked-period"
import type { FlowDeps } from "../../src/engine/deps"
import { periodFile } from "../../src/reconciliation/period-file"
import { comparedPeriod, readPeriod, type InBackground } from "../../src/reconciliation/read-period"
import {
  periodQuery,
  type ReconciliationResponse,
} from "../../src/reconciliation/schemas/reconciliation"
import { cellsIn } from "./csv-cells"

/** The first and the last day, `2026-11-20`. */
export type Days = { readonly from: string; readonly to: string }

export type Compared = {
  /** What the page showed after each comparison. */
  readonly pages: readonly ReconciliationResponse[]
  /** The last of them. */
  readonly page: ReconciliationResponse
  /** The cells of its lines, the first its head. */
  file(): Promise<readonly (readonly string[])[]>
  /** The same of differences alone. */
  differences(): Promise<readonly (readonly string[])[]>
}

type Query = Readonly<Record<string, string>>

/** Of a gateway that was not read the page says: "Compare again in a minute." */
const AGAIN_AFTER_MS = 60_000
/** A proxy may answer in the gateway's place several times in a row, of one list after another. */
const COMPARED_AT_MOST = 15

/** An admin asks for a comparison of now, and waits until it is over. */
export async function comparePeriod(deps: FlowDeps, days: Days): Promise<Compared> {
  const asked = (given: Query) =>
    askedComparison(
      periodQuery.parse({ ...days, ...given }),
      deps.settings.timeZone,
      deps.clock.now(),
    )
  const works: Promise<void>[] = []
  const begin: InBackground = (work) => works.push(work(new AbortController().signal))
  const compared = async () => {
    await readPeriod(deps, begin, asked({ fresh: "true" }))
    await Promise.all(works)
    return readPeriod(deps, begin, asked({ fresh: "false" }))
  }
  const pages = [await compared()]
  while (pages.at(-1)?.is_complete === false && pages.length < COMPARED_AT_MOST) {
    await deps.clock.sleep(AGAIN_AFTER_MS)
    pages.push(await compared())
  }
  const [page] = pages.slice(-1)
  if (!page) throw new Error("nothing was compared")
  const fileOf = async (given: Query) => {
    const period = asked({ format: "csv", ...given })
    const accounts = await comparedPeriod(deps, begin, period)
    return cellsIn(periodFile(deps, { ...period, accounts }))
  }
  return {
    pages,
    page,
    file: () => fileOf({}),
    differences: () => fileOf({ only: "differences" }),
  }
}
