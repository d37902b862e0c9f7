/**
 * Opens books that an earlier version of this simulator saved. New lists and counters start empty;
 * a new field gets the value that it would have had.
 */
import {
  emptyBook,
  type BookData,
  type Checkout,
  type Counterparty,
  type Document,
  type Line,
  type Party,
} from "./records"

/** A record as saved before these fields existed. */
type Former<T, New extends keyof T> = Omit<T, New> & Partial<Pick<T, New>>

type FormerDocument = Former<Omit<Document, "lines" | "checkout">, "token" | "updatedAtMs"> & {
  lines: Former<Line, "createdAtMs" | "updatedAtMs">[]
  /** Earlier books kept the token here, when `checkouts/create` made every document. */
  checkout: (Checkout & { token?: string }) | null
}

/** Any book with `version` 1, of any age. */
export type SavedBook = Partial<
  Omit<BookData, "counters" | "parties" | "counterparties" | "documents">
> & {
  version: 1
  counters: Partial<BookData["counters"]>
  parties: Former<Party, "countryCode">[]
  counterparties: Former<Counterparty, "updatedAtMs">[]
  documents: FormerDocument[]
}

export function upgraded(saved: SavedBook): BookData {
  const empty = emptyBook()
  return {
    ...empty,
    ...saved,
    counters: { ...empty.counters, ...saved.counters },
    parties: saved.parties.map((party) => ({ ...party, countryCode: party.countryCode ?? null })),
    counterparties: saved.counterparties.map((counterparty) => ({
      ...counterparty,
      updatedAtMs: counterparty.updatedAtMs ?? counterparty.createdAtMs,
    })),
    documents: saved.documents.map(upgradedDocument),
  }
}

function upgradedDocument(document: FormerDocument): Document {
  const { createdAtMs, publishedAtMs, canceledAtMs, checkout } = document
  return {
    ...document,
    token: document.token ?? checkout?.token ?? "",
    updatedAtMs:
      document.updatedAtMs ?? Math.max(createdAtMs, publishedAtMs ?? 0, canceledAtMs ?? 0),
    lines: document.lines.map((line) => ({
      ...line,
      createdAtMs: line.createdAtMs ?? createdAtMs,
      updatedAtMs: line.updatedAtMs ?? createdAtMs,
    })),
    checkout,
  }
}
