/**
 * Writes facts into the holes of a text, `{{name}}`, in one reading: braces in a fact stay what they
 * are.
 *
 * @param write how a fact is written; without it, only a text or a number is
 */
export function fillHoles<Fact>(
  text: string,
  facts: Readonly<Record<string, Fact>>,
  write: (fact: Fact | undefined, name: string) => string = plainly,
): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => write(facts[name], name))
}

const plainly = (fact: unknown) =>
  typeof fact === "string" || typeof fact === "number" ? String(fact) : ""
