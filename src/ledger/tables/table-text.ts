/**
 * Tables as text, as `needed-tables.ts` keeps them: short, and a change of one column is a change
 * of one line in a diff.
 */
import type { Table, Tables, UniqueRule } from "./read-tables"

export function tablesIn(texts: Readonly<Record<string, string>>): Tables {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, tableIn(text)]))
}

function tableIn(text: string): Table {
  const columns: Record<string, string> = {}
  const rules: Record<string, UniqueRule> = {}
  const checks: Record<string, readonly string[]> = {}
  const triggers: string[] = []
  for (const entry of text.split(";").map((one) => one.trim().replace(/\s+/g, " "))) {
    const [word, column] = cut(entry)
    const [name, rest] = cut(column)
    if (word === "unique") rules[name] = ruleIn(rest)
    else if (word === "check") checks[name] = wordsIn(rest)
    else if (word === "trigger") triggers.push(name)
    else columns[word] = column
  }
  return { columns, rules, checks, triggers }
}

/** The first word, and what follows it. */
function cut(text: string): [string, string] {
  const [word = "", ...rest] = text.split(" ")
  return [word, rest.join(" ")]
}

function ruleIn(text: string): UniqueRule {
  const [keys = "", condition = ""] = text.split(" where ")
  return { keys: keys.split(" | "), condition: wordsIn(condition) }
}

const wordsIn = (text: string) => (text === "" ? [] : text.split(" "))

/** The text that {@link tablesIn} reads: entries with a semicolon between them, one after another. */
export function textOf({ columns, rules, checks, triggers }: Table): string {
  const entries = [
    ...Object.entries(columns).map(([name, column]) => `${name} ${column}`),
    ...Object.entries(rules).map(([name, { keys, condition }]) => {
      const where = condition.length > 0 ? ` where ${condition.join(" ")}` : ""
      return `unique ${name} ${keys.join(" | ")}${where}`
    }),
    ...Object.entries(checks).map(([name, words]) => `check ${name} ${words.join(" ")}`.trim()),
    ...triggers.map((name) => `trigger ${name}`),
  ]
  return entries.join(";\n")
}
