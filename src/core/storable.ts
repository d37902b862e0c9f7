/**
 * Text that Postgres accepts. Texts of the gateway and titles of products may hold what its `text`
 * and `jsonb` refuse: a zero byte, or half a surrogate pair. A write that failed for that would
 * fail at every check, and its operation would never end.
 */

/** The text with what can't be stored replaced by U+FFFD. */
export function storable(text: string): string {
  return text.replace(/[\uD800-\uDFFF\0]/gu, "\uFFFD")
}

/** As `JSON.stringify`, with every text in it storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "string" ? storable(entry) : entry,
  )
}
