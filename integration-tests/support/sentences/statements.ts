/** Names and reasons of events in the ledger's SQL: what stands in the statement itself. */
import ts from "typescript"
import { everyNode, placeOf, type Found, type Sources, type Text } from "./sources"

type Column = "name" | "why"

const INSERT = /insert into mp_operation_event\s*\(([^)]*)\)/g
const QUOTED = "'((?:[^']|'')*)'"

/** What is bound to a parameter has to come from an object, where it is found by its name. */
const BOUND = /^\$\d+$/
const BOUND_FROM: Readonly<Record<Column, RegExp>> = {
  name: /\bevent\.note\b/,
  why: /storable\(\w+\.why\)/,
}

export function eventStatements(sources: Sources, column: Column): Found {
  const texts: Text[] = []
  const unclear: string[] = []
  for (const file of sources.files) {
    everyNode(file, (node) => {
      if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return
      const place = placeOf(node)
      for (const text of valuesIn(node.getText(), column, file.text)) {
        if (text !== undefined) texts.push([{ text, place }])
        else unclear.push(`${place}: the ${column} of an event can't be read in this statement`)
      }
    })
  }
  return { texts, unclear }
}

/** Undefined stands for what can't be read. */
function valuesIn(sql: string, column: Column, file: string): (string | undefined)[] {
  const inserted = [...sql.matchAll(INSERT)].flatMap((match) => {
    const position = positionOf(column, match[1])
    const [, list] = /^\s*select\s+(.*)/s.exec(sql.slice(match.index + match[0].length)) ?? []
    const expression = list === undefined ? undefined : partsOf(list)[position]
    return valuesOf(expression, column, sql, file)
  })
  if (!sql.includes("update mp_operation_event")) return inserted
  const set = new RegExp(`\\b${column} = ${QUOTED}`, "g")
  return [...inserted, ...[...sql.matchAll(set)].map(([, text]) => unquoted(text))]
}

function valuesOf(expression: string | undefined, column: Column, sql: string, file: string) {
  if (expression === undefined) return [undefined]
  if (BOUND.test(expression)) return BOUND_FROM[column].test(file) ? [] : [undefined]
  if (expression.startsWith("'")) return [quotedIn(expression)]
  if (expression.startsWith("case")) return branchesOf(expression)
  const row = /^(\w+)\.\w+$/.exec(expression)
  return row ? rowsOf(row[1] ?? "", column, sql) : [undefined]
}

function branchesOf(expression: string): (string | undefined)[] {
  const branches = expression.match(/\b(then|else)\b/g)?.length
  const texts = [...expression.matchAll(new RegExp(`\\b(?:then|else)\\s+${QUOTED}`, "g"))]
  return texts.length === branches ? texts.map(([, text]) => unquoted(text)) : [undefined]
}

/** `(values (1, 'draft', …), (2, …)) e (seq, name, …)` */
function rowsOf(alias: string, column: Column, sql: string): (string | undefined)[] {
  const values = new RegExp(`\\(values (.*?)\\)\\s*${alias} \\(([^)]*)\\)`, "s").exec(sql)
  const position = positionOf(column, values?.[2])
  const rows = partsOf(values?.[1] ?? "")
  return rows.map((row) => quotedIn(partsOf(row.replace(/^\(|\)$/g, ""))[position]))
}

function positionOf(column: Column, columns = ""): number {
  return columns.split(",").findIndex((name) => name.trim() === column)
}

/** Divided at its commas, those inside brackets and quotes aside; it ends at `from`. */
function partsOf(list: string): string[] {
  const parts = [""]
  let depth = 0
  for (const [token] of list.matchAll(/'(?:[^']|'')*'|\s+|\w+|./gs)) {
    if (token === "(") depth++
    if (token === ")") depth--
    if (depth === 0 && token === "from") break
    if (depth === 0 && token === ",") parts.push("")
    else parts.push((parts.pop() ?? "") + token)
  }
  return parts.map((part) => part.trim())
}

function quotedIn(expression = ""): string | undefined {
  return unquoted(new RegExp(`^${QUOTED}$`).exec(expression)?.[1])
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replaceAll("''", "'")
}
