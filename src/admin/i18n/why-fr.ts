/**
 * Why something happened, in French. The ledger keeps its reasons in English, as they were written down
 * with each change; a sentence that is not here, from another version for example, is shown as it is.
 */
import { paymentsFr } from "./payments-fr"
import { REFUSALS_FR } from "./refusals-fr"
import { WHY_PATTERNS_FR } from "./why-patterns-fr"
import { WHY_FR } from "./why-whole-fr"

/** What the gateway was asked about. */
const WHAT: Readonly<Record<string, string>> = {
  source: "du document",
  execution: "de l'exécution",
  refund: "du remboursement",
  money: "de l'argent",
}

/** What a named group of a pattern is in French. */
const INSIDE: Readonly<Record<string, (text: string, code: string | undefined) => string>> = {
  why: (text) => whyInFrench(text),
  what: (text) => WHAT[text] ?? text,
  state: (text) => STATES[text] ?? text,
  refusal: (text, code) => (code === undefined ? undefined : REFUSALS_FR[code]) ?? text,
}

const STATES: Readonly<Record<string, string>> = paymentsFr.state

/** What was written down: the name of an event, why it was, and what belongs to it. */
export type Happened = {
  readonly name: string
  readonly why: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Their reason is what a person wrote, and a person's own words are never translated. */
const BY_A_PERSON = new Set(["accept", "dismiss"])

export function storyInFrench({ name, why, facts }: Happened): string {
  const { code } = facts
  if (BY_A_PERSON.has(name)) return why
  return whyInFrench(why, typeof code === "string" ? code : undefined)
}

/** @param code of the refusal that the reason tells of, where it tells of one */
export function whyInFrench(text: string, code?: string): string {
  if (Object.hasOwn(WHY_FR, text)) return WHY_FR[text] ?? text
  for (const [pattern, french] of WHY_PATTERNS_FR) {
    const found = pattern.exec(text)
    if (!found) continue
    return french.replace(/\$(\d)|\$<(\w+)>/g, (_, number?: string, name?: string) =>
      name === undefined
        ? (found[Number(number)] ?? "")
        : (INSIDE[name]?.(found.groups?.[name] ?? "", code) ?? ""),
    )
  }
  return text
}
