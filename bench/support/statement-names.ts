/** Statements by what they do and to which table, such as `update mp_operation`. */

/** @returns how often each name came */
export function countedByName(statements: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const statement of statements) {
    const name = nameOf(statement)
    counted.set(name, (counted.get(name) ?? 0) + 1)
  }
  return counted
}

const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_]+)"?/

/** A statement that changes several tables is named by all that it changes. */
export function nameOf(statement: string): string {
  const text = statement.trim().toLowerCase().replace(/\s+/g, " ")
  const changed = [
    ...text.matchAll(
      /\b(insert into|delete from|(?<!for )(?<!no key )update) (?:only )?(?:"?public"?\.)?"?([a-z_]+)"?/g,
    ),
  ]
    .filter(([, , table]) => table !== "set" && table !== "skip")
    .map(([, verb, table]) => `${String(verb).split(" ")[0]} ${table}`)
  if (changed.length > 0) return [...new Set(changed)].join(" + ")
  const [verb = ""] = text.split(/[^a-z]/, 1)
  if (verb !== "select" && verb !== "with") return verb
  const table = TABLE.exec(text)?.[1]
  return table === undefined ? "select" : `select ${table}`
}
