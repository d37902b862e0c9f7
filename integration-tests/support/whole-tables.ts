/**
 * Tables that show the same fact many times: `npm test` plays a part of them, and
 * `npm run proof -- --only tables` plays them whole. It sets this variable.
 */
export const WHOLE_TABLES = "WHOLE_TABLES"

export const isWhole = process.env[WHOLE_TABLES] === "1"

/** How many draws of a whole table are made: all, or a tenth. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 10)
}

/** The first of each group: what a part of a table is about. */
export function firstOfEach<Row>(rows: readonly Row[], groupOf: (row: Row) => string): Row[] {
  const met = new Set<string>()
  return rows.filter((row) => !met.has(groupOf(row)) && met.add(groupOf(row)))
}
