/**
 * A period as one sheet for the accountant, read in pages, to bound the memory. Its last lines add
 * up the lines above them, which are the movements that the home page adds up.
 */
import { methodLabels } from "../core/method-labels"
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { sheetIn, type SheetLanguage } from "./rules/accountant-sheet"
import { sumsOf, type Movement } from "../core/movements"
import type { Period } from "./rules/reconciliation"
import { countMoved, findMovements } from "./sql/movements"

export type SheetAsked = Period & { readonly timeZone: string; readonly language: SheetLanguage }

type SheetPorts = Pick<FlowDeps, "database" | "accounts"> & {
  readonly medusa: Pick<FlowDeps["medusa"], "orderNumbers" | "adminNames">
}

/** @throws Refusal `period_too_long` before the first line */
export async function accountantFile(
  deps: SheetPorts,
  asked: SheetAsked,
): Promise<{ readonly name: string; readonly lines: AsyncIterable<string> }> {
  const payments = LIMITS.listFileMax
  if ((await countMoved(deps.database, asked, payments + 1)) > payments) {
    throw refusal("period_too_long.list", { payments }, { payments_max: payments })
  }
  const sheet = sheetIn(asked.language, asked.timeZone)
  return { name: sheet.fileName(asked.from, asked.until), lines: linesOf(deps, asked, sheet) }
}

async function* linesOf(
  deps: SheetPorts,
  asked: SheetAsked,
  sheet: ReturnType<typeof sheetIn>,
): AsyncGenerator<string> {
  yield sheet.head()
  const labelOf = methodLabels(await deps.accounts())
  const sums = new Map<string, Written>()
  for await (const page of findMovements(deps.database, asked)) {
    const orderIds = [...new Set(page.flatMap(({ orderId }) => orderId ?? []))]
    const numbers = await deps.medusa.orderNumbers(orderIds)
    const admins = page
      .flatMap(({ askedBy, approvedBy }) => [askedBy, approvedBy])
      .filter((id) => id !== null)
    const names = await deps.medusa.adminNames([...new Set(admins)])
    for (const one of page) count(sums, one)
    yield page.map((one) => sheet.movement(one, { labelOf, numbers, names })).join("")
  }
  yield sumsOf([...sums.values()])
    .map((one) => sheet.total(one))
    .join("")
}

type Written = Parameters<typeof sumsOf>[0][number]

/** Adds a written line to what was written of its currency and kind. */
function count(sums: Map<string, Written>, one: Movement): void {
  const { currency, kind, minor, ofMinor } = one
  const key = `${currency} ${kind}`
  const before = sums.get(key)
  sums.set(key, {
    currency,
    kind,
    count: (before?.count ?? 0) + 1,
    minor: (before?.minor ?? 0n) + (minor ?? 0n),
    ofMinor: (before?.ofMinor ?? 0n) + ofMinor,
  })
}
