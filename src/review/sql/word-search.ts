/** Finds operations by the words of a search, which stand in `mp_operation_search`. */
import { UNCOMPILED, type Database } from "../../ledger/database"

/**
 * How the operations with the words are found. `gathered`: they are few, read one by one and sorted.
 * Of many, the first are soon found by reading the list in its order: `sought`. That ends after a
 * while, because all of them may be old. `joined`: all that have the words are read at once.
 */
export type WordSearch = "gathered" | "sought" | "joined"

/**
 * The three digits of a phone are among the words of its operations, so a filter by them is a
 * search, and needs no index. The filter compares the column as well, because another number of an
 * operation may be the same word.
 */
export function withPhoneWord<
  Filter extends { readonly words?: string | undefined; readonly phoneHint?: string | undefined },
>(filter: Filter): Filter {
  const { phoneHint, words } = filter
  if (phoneHint === undefined) return filter
  const digits = `'${phoneHint.replaceAll(/\D/g, "")}'`
  return { ...filter, words: words === undefined ? digits : `(${words}) & ${digits}` }
}

/** The planner can't tell how many operations have a rare word. */
export function hasWords(words: string, search: WordSearch): string {
  const having = `select operation_id from mp_operation_search where words @@ ${words}::tsquery`
  // The fence keeps the planner from walking the whole list for a few old rows.
  if (search === "joined") return `o.id in (${having} offset 0)`
  return search === "gathered"
    ? `o.id = any(array(${having}))`
    : `(select s.words from mp_operation_search s where s.operation_id = o.id) @@ ${words}::tsquery`
}

const countOf = (most: number) => `
  select count(*)::int as n from (
    select from mp_operation_search where words @@ $1::tsquery limit ${most}) found`

/** Whether more operations than that have the words. */
export async function hasMoreThan(
  database: Database,
  words: string | undefined,
  most: number,
): Promise<boolean> {
  if (words === undefined) return false
  const [row] = await database.query(countOf(most + 1), [words], UNCOMPILED)
  return Number(row?.["n"] ?? 0) > most
}
