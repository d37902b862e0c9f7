/** Sentences that the store keeps in English, said in another language: whole ones, and ones with figures. */

export type Patterns = readonly (readonly [RegExp, string])[]

/** Undefined where nobody has translated it. */
export function translated(
  text: string,
  whole: Readonly<Record<string, string>>,
  patterns: Patterns,
): string | undefined {
  if (Object.hasOwn(whole, text)) return whole[text]
  const found = patterns.find(([pattern]) => pattern.test(text))
  return found && text.replace(found[0], found[1])
}
