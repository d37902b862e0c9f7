/**
 * What the sources say of something that was typed in and is wrong: the sentence of every refusal with the
 * code `invalid_request`, and what a route's schema says in words of ours.
 */
import ts from "typescript"
import { found, type Asking, type Found, type Sources } from "./sources"

export const FIELD = "field"
/** Stands for what a library says. */
const SAMPLE = "Zq-7"
const CHECKS = ["regex", "refine"]

export function invalidIn(sources: Sources): Found {
  return found(sources.files, (node) => {
    const [first, second] = argumentsOf(node)
    if (!second) return []
    const isRefusal = ts.isNewExpression(node) && node.expression.getText() === "Refusal"
    if (isRefusal && first?.getText() === `"invalid_request"`) {
      const texts = sources.textsOf(second, INVALID)
      return texts.filter((text) => text.every((part) => part.text !== SAMPLE))
    }
    const isOfSchema =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      CHECKS.includes(node.expression.name.text)
    const isOfRoute = node.getSourceFile().fileName.startsWith("src/api/")
    return isOfSchema && isOfRoute ? sources.textsOf(second, INVALID) : []
  })
}

const INVALID: Asking = {
  sample: SAMPLE,
  known: (node, isPart) =>
    isPart && ts.isIdentifier(node) && node.text === FIELD ? [[{ text: FIELD }]] : undefined,
}

function argumentsOf(node: ts.Node): readonly ts.Expression[] {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? (node.arguments ?? []) : []
}
