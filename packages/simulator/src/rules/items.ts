/**
 * The lines of a draft: `amount` is the price of one, the line costs that times `qty`, and all
 * lines are in the document's currency (contract notes, section 8). The document's total is their
 * sum and is not stored.
 */
import type { Document, Line } from "../book/records"
import { minorFromWire, type Currency } from "../money"
import { notFound, refused } from "../problem"
import type { World } from "../world"
import { mustBeCountable, mustBeDraft } from "./drafts"

export type ItemRequest = { name: string; currency: string; qty: number; amount: number }

/** A field that is absent or null stays as it is. */
export type ItemChange = { name?: string | null; qty?: number | null; amount?: number | null }

/** Adds a line. `parameter` is the path's name for the document. Throws 422. */
export function addItem(
  world: World,
  document: Document,
  parameter: string,
  request: ItemRequest,
): Line {
  mustBeDraft(world, document, parameter)
  const line = newLine(world, document.currency, request, ["body"])
  mustBeCountable({ ...document, lines: [...document.lines, line] }, "amount")
  changeLines(world, document, [...document.lines, line])
  return line
}

/** Changes a line. Throws 404 for a line of another document, 422 unless this one is `IDLE`. */
export function updateItem(
  world: World,
  document: Document,
  parameter: string,
  lineId: number,
  { name, qty, amount }: ItemChange,
): Line {
  const line = ownLine(document, lineId)
  mustBeDraft(world, document, parameter)
  const changed: Line = {
    ...line,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof qty === "number" ? { qty } : {}),
    ...(typeof amount === "number"
      ? { unitMinor: unitPrice(document.currency, amount, ["body"]) }
      : {}),
    updatedAtMs: world.time.nowMs(),
  }
  const lines = document.lines.map((other) => (other === line ? changed : other))
  mustBeCountable({ ...document, lines }, typeof amount === "number" ? "amount" : "qty")
  changeLines(world, document, lines)
  return changed
}

/** Removes a line. Throws like `updateItem`. */
export function removeItem(
  world: World,
  document: Document,
  parameter: string,
  lineId: number,
): void {
  const line = ownLine(document, lineId)
  mustBeDraft(world, document, parameter)
  changeLines(
    world,
    document,
    document.lines.filter((other) => other !== line),
  )
}

/** A line in the document's currency; `at` is where the request holds it. Throws 422. */
export function newLine(
  world: World,
  currency: Currency,
  { name, currency: code, qty, amount }: ItemRequest,
  at: readonly (string | number)[],
): Line {
  if (code !== currency) {
    throw refused([...at, "currency"], "Line and document differ in currency")
  }
  const unitMinor = unitPrice(currency, amount, at)
  const nowMs = world.time.nowMs()
  const id = world.book.next("line")
  return { id, name, qty, unitMinor, createdAtMs: nowMs, updatedAtMs: nowMs }
}

function unitPrice(currency: Currency, amount: number, at: readonly (string | number)[]): number {
  const minor = minorFromWire(amount, currency)
  if (minor === null) throw refused([...at, "amount"], `Not an amount in ${currency}`)
  return minor
}

function changeLines(world: World, document: Document, lines: Line[]): void {
  world.book.update(document, { lines, updatedAtMs: world.time.nowMs() })
}

function ownLine(document: Document, lineId: number): Line {
  const line = document.lines.find(({ id }) => id === lineId)
  if (!line) throw notFound("Line")
  return line
}
