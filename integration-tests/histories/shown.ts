/**
 * What people are shown of a history at one moment, read as the routes read it. Nothing here is
 * true because a row says so: what is shown is held against what is shown elsewhere, and against
 * the gateway's own book.
 */
import { filterOf, operationsQuery, pagingOf } from "../../src/api/admin-validators"
import { queryFrom } from "../../src/admin/lib/filters"
import { UTC } from "../../src/core/time-zone"
import type { FlowDeps } from "../../src/engine/deps"
import { statusOf, type Status } from "../../src/checkout/rules/status"
import { findBySession } from "../../src/ledger/find-operations"
import { accountantFile } from "../../src/reconciliation/accountant-file"
import { readOverview } from "../../src/reconciliation/read-overview"
import type { Overview } from "../../src/reconciliation/rules/overview-responses"
import { readOperation, readOperations } from "../../src/review/read-operations"
import type { OperationDetail, OperationList } from "../../src/review/rules/review-responses"
import { idFrom } from "../../src/core/ids"

/** A query of the list of payments, as its route takes it. */
export type ListQuery = Readonly<Record<string, string>>

export type Shown = {
  /** Every row, newest first, with the sums of all. */
  readonly all: OperationList
  readonly details: readonly OperationDetail[]
  readonly home: Overview
  /** The accountant's sheet of all time: the cells of its lines, the first its head. */
  readonly sheet: readonly (readonly string[])[]
  /** By payment session; one that has no payment yet is absent. */
  readonly statuses: ReadonlyMap<string, Status>
  list(query: ListQuery): Promise<OperationList>
}

const MOST = "100"
const SINCE = new Date("2026-01-01")

/** @param sessionIds every session that a shopper's page was ever opened with */
export async function readShown(deps: FlowDeps, sessionIds: readonly string[]): Promise<Shown> {
  const list = (query: ListQuery) => {
    const asked = operationsQuery.parse({ limit: MOST, totals: "true", ...query })
    return readOperations(deps, filterOf(asked), pagingOf(asked), asked.totals !== undefined)
  }
  const all = await list({})
  const details: OperationDetail[] = []
  for (const { id } of all.operations) details.push(await readOperation(deps, idFrom(id)))
  const statuses = new Map<string, Status>()
  for (const id of sessionIds) {
    const operation = await findBySession(deps.database, idFrom(id))
    if (operation) statuses.set(id, statusOf(operation, idFrom(id)))
  }
  const home = await readOverview(deps, UTC)
  return { all, details, home, sheet: await sheetOf(deps), statuses, list }
}

/** The query that a link of the admin's pages asks the list with. */
export function queryOfLink(address: string): ListQuery {
  const asked = queryFrom(new URL(address, "https://shop.example").searchParams)
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

async function sheetOf(deps: FlowDeps): Promise<string[][]> {
  const until = new Date(deps.clock.now().getTime() + 1)
  const asked = { from: SINCE, until, timeZone: UTC, language: "en" } as const
  const { lines } = await accountantFile(deps, asked)
  let text = ""
  for await (const part of lines) text += part
  return text.trimEnd().split("\r\n").map(cellsOf)
}

/** The cells of a line whose every cell may be quoted. */
function cellsOf(line: string): string[] {
  const cells = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  return cells.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").trim())
}
