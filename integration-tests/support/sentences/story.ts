/**
 * What the sources can write into an operation's story: the name of each event and why it happened. Both
 * are in objects (`why: …`, `event: { note: … }`) and in the SQL of the ledger. Every property of the name
 * `why` counts, whatever becomes of it, and so does every object of a `note` alone.
 */
import ts from "typescript"
import { TRANSITIONS } from "../../../src/core/operation"
import { found, valueOf, type Asking, type Found, type Sources } from "./sources"
import { eventStatements } from "./statements"

/** Stands for a reason inside a reason: its French shows that what is inside is said in French, too. */
export const INNER_WHY = "the shopper gave up"
/** Stands for what is only known at run time: unlike anything that is written, and no word. */
export const SAMPLE = "Zq-7"

/** Persons' own words, by the names that they come under: never translated. */
const PERSONS = ["note", "keptNote"]
/** Reads what was written. */
const READER = "src/ledger/operation-events.ts"

export function reasonsIn(sources: Sources): Found {
  return merged(ofProperties(sources, "why", WHY), eventStatements(sources, "why"))
}

export function namesIn(sources: Sources): Found {
  const ofMachine = Object.values(TRANSITIONS).flatMap((row) => Object.keys(row))
  const place = "src/core/operation.ts"
  return merged(
    { texts: ofMachine.map((text) => [{ text, place }]), unclear: [] },
    ofProperties(sources, "note", { sample: SAMPLE, known: () => undefined }),
    eventStatements(sources, "name"),
  )
}

/** What is thrown where an error's text becomes a part of a reason, and in what Medusa is asked through. */
export function errorsIn(sources: Sources): Found {
  const files = sources.files.filter(
    ({ fileName, text }) =>
      fileName.includes("/host/") || (text.includes("errorText(") && /\bwhy\b/.test(text)),
  )
  return found(files, (node) => {
    const isError = ts.isNewExpression(node) && node.expression.getText() === "Error"
    const [sentence] = (isError && node.arguments) || []
    return sentence ? sources.textsOf(sentence, WHY) : []
  })
}

const WHY: Asking = {
  sample: SAMPLE,
  known: (node, isPart) => {
    const name = nameOf(node) ?? ""
    if (PERSONS.includes(name)) return isPart ? [[{ text: SAMPLE }]] : []
    // Whoever has put it into that object is asked about it there.
    const isTaken = ts.isPropertyAccessExpression(node) || ts.isBindingElement(node)
    if (!isTaken || name !== "why") return undefined
    return isPart ? [[{ text: INNER_WHY }]] : []
  },
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node)) return nameOf(node.expression)
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isBindingElement(node)) return (node.propertyName ?? node.name).getText()
  return ts.isIdentifier(node) ? node.text : undefined
}

function ofProperties(sources: Sources, name: "why" | "note", asking: Asking): Found {
  const files = sources.files.filter(({ fileName }) => fileName !== READER)
  return found(files, (node) => {
    if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return []
    const isOther = name === "note" && node.parent.properties.length > 1
    if (node.name.getText() !== name || isOther || sources.isWord(valueOf(node))) return []
    return sources.textsOf(valueOf(node), asking)
  })
}

function merged(...founds: readonly Found[]): Found {
  return {
    texts: founds.flatMap(({ texts }) => texts),
    unclear: founds.flatMap(({ unclear }) => unclear),
  }
}
