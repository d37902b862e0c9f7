/** What the compiler allows of ids, in the product and in the tests' program. */
import path from "node:path"
import ts from "typescript"

const ROOT = path.resolve(__dirname, "../../..")
const SNIPPET = path.join(ROOT, "src/core/snippet.ts")
const LITERAL_IDS = path.join(ROOT, "integration-tests/support/literal-ids.ts")

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: [],
  lib: ["lib.es5.d.ts"],
  paths: { "merchant-payments-gateway/*": [path.join(ROOT, "packages/gateway/src/*.ts")] },
  skipLibCheck: true,
}

const read = ts.createCompilerHost(OPTIONS)
/** The compiler's own declarations are read once for all programs. */
const known = new Map<string, ts.SourceFile | undefined>()

/** The number of the compiler's complaints about a snippet that stands beside `core/ids.ts`. */
function complaints(snippet: string, ...others: readonly string[]): number {
  const text = `import { idFrom, type CartId, type Given, type OrderId, type PartyId,
    type SourceId } from "./ids"
  const cart = idFrom<CartId>("cart_1")
  const party = idFrom<PartyId>(1)
  export const taken: ${snippet}
  export const made = [cart, party, {} as OrderId, {} as SourceId, {} as Given<PartyId>]`
  const sourceOf = (file: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
    if (file === SNIPPET) return ts.createSourceFile(file, text, version)
    if (!known.has(file)) known.set(file, read.getSourceFile(file, version))
    return known.get(file)
  }
  const host = { ...read, getSourceFile: sourceOf }
  const program = ts.createProgram([SNIPPET, ...others], OPTIONS, host)
  return ts.getPreEmitDiagnostics(program).length
}

it.each([
  ["a plain text as a cart's id", `CartId = "cart_1"`],
  ["a cart's id as an order's", "OrderId = cart"],
  ["a plain number as a source's id", "SourceId = 1"],
  ["a party's id in a call that names a source", "Given<SourceId> = party"],
])("the product is not compiled with %s", (_, snippet) => {
  expect(complaints(snippet)).toBe(1)
})

it.each([
  ["an id as a plain text", "string = cart"],
  ["a plain number in a call of the gateway's client", "Given<SourceId> = 1"],
  ["an id in such a call", "Given<PartyId> = party"],
])("the product is compiled with %s", (_, snippet) => {
  expect(complaints(snippet)).toBe(0)
})

it("a test may write an id as plain text, but not as another type of id", () => {
  expect(complaints(`CartId = "cart_1"`, LITERAL_IDS)).toBe(0)
  expect(complaints("OrderId = cart", LITERAL_IDS)).toBe(1)
})
