/**
 * Which texts an expression of the sources can become, found without running it: constants, conditions,
 * templates, parameters (what is passed at every call), results of functions, and properties (what is
 * assigned to them anywhere). Where that ends is a hole, or, for a text as a whole, `Unclear`.
 */
import ts from "typescript"

/** Written down at a place, as `src/core/money.ts:12`; without one, put in for what is known at run time. */
export type Part = { readonly text: string; readonly place?: string }
/** One text that can be said, by its parts. */
export type Text = readonly Part[]

/** What was found, and a sentence for each place where it can't be told what is said. */
export type Found = { readonly texts: readonly Text[]; readonly unclear: readonly string[] }

/** It can't be told which texts this is; it has to be written in another way. */
export class Unclear extends Error {
  constructor(node: ts.Node) {
    super(`${placeOf(node)}: it can't be told what this is: ${node.getText()}`)
  }
}

export type Asking = {
  /** What to say of an expression before it is looked into, as a part or as a whole; undefined: look. */
  readonly known: (
    node: ts.Expression | ts.BindingElement,
    isPart: boolean,
  ) => readonly Text[] | undefined
  /** For what is only known at run time. */
  readonly sample: string
}

export type Sources = {
  readonly files: readonly ts.SourceFile[]
  readonly textsOf: (expression: ts.Expression, asking: Asking) => Text[]
  /** What is written there is one of a few words, and no sentence. */
  readonly isWord: (expression: ts.Expression) => boolean
}

const LEFT_OUT = /(^src\/admin\/|\.spec\.ts$|\/testing\/|\/migrations\/)/
/** A function that is passed to itself, or a chain that nobody reads any more. */
const DEEPEST = 30
const OPTIONS: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, strict: true, types: [] }

/** @param given in the place of the product's files, by path from its root; they may import the product's */
export function readSources(given: Readonly<Record<string, string>> = {}): Sources {
  const root = ts.sys.getCurrentDirectory()
  const own = ts.sys
    .readDirectory(`${root}/src`, [".ts"])
    .map((path) => path.slice(root.length + 1))
    .filter((path) => !LEFT_OUT.test(path))
  const paths = Object.keys(given).length > 0 ? Object.keys(given) : own
  const program = ts.createProgram(paths, OPTIONS, hostOf(root, given))
  const files = paths.flatMap((path) => program.getSourceFile(path) ?? [])
  const checker = program.getTypeChecker()
  const isWord = (node: ts.Expression) => {
    const type = checker.getContextualType(node)
    return type !== undefined && wordsOf(type) !== undefined
  }
  return { files, isWord, textsOf: follower(files, checker) }
}

/** Only what is relative is found: of what others wrote no text is asked for, and it takes seconds. */
function hostOf(root: string, given: Readonly<Record<string, string>>): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS)
  const has = (path: string) => path in given || ts.sys.fileExists(`${root}/${path}`)
  return {
    ...host,
    getCurrentDirectory: () => "",
    fileExists: (path) => has(path) || host.fileExists(path),
    getSourceFile: (path, language) => {
      const text = given[path] ?? ts.sys.readFile(path.startsWith("/") ? path : `${root}/${path}`)
      return text === undefined ? undefined : ts.createSourceFile(path, text, language, true)
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const base = joined(from, text)
        const found = [`${base}.ts`, `${base}/index.ts`].find(has)
        const isFound = text.startsWith(".") && found !== undefined
        return {
          resolvedModule: isFound
            ? { resolvedFileName: found, extension: ts.Extension.Ts }
            : undefined,
        }
      }),
  }
}

function joined(from: string, relative: string): string {
  const parts = from.split("/").slice(0, -1)
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${file.fileName}:${line + 1}`
}

export function everyNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => everyNode(child, visit))
}

export function found(files: Sources["files"], textsAt: (node: ts.Node) => readonly Text[]): Found {
  const texts: Text[] = []
  const unclear: string[] = []
  for (const file of files) {
    everyNode(file, (node) => {
      try {
        texts.push(...textsAt(node))
      } catch (error) {
        if (!(error instanceof Unclear)) throw error
        unclear.push(error.message)
      }
    })
  }
  return { texts, unclear }
}

type At = { readonly depth: number; readonly isPart: boolean }
type Assigned = ts.PropertyAssignment | ts.ShorthandPropertyAssignment
type Called = ts.CallExpression | ts.NewExpression

function follower(files: readonly ts.SourceFile[], checker: ts.TypeChecker) {
  const { assigned, called } = indexOf(files)

  function textsOf(node: ts.Expression, asking: Asking, at: At): Text[] {
    const follow = (next: ts.Expression) => textsOf(next, asking, deeper(at))
    const known = asking.known(node, at.isPart)
    if (known) return [...known]
    if (at.depth > DEEPEST) throw new Unclear(node)
    if (ts.isStringLiteralLike(node)) return [[fixed(node)]]
    if (ts.isTemplateExpression(node)) return templateTexts(node, asking, at)
    if (ts.isConditionalExpression(node)) {
      return [...follow(node.whenTrue), ...follow(node.whenFalse)]
    }
    if (ts.isBinaryExpression(node)) return binaryTexts(node, asking, at)
    if (isWrapped(node)) return follow(node.expression)
    if (ts.isIdentifier(node)) return nameTexts(node, asking, at)
    if (ts.isPropertyAccessExpression(node)) {
      return propertyTexts(checker.getSymbolAtLocation(node.name), node, asking, at)
    }
    if (ts.isCallExpression(node)) return resultTexts(node, asking, at)
    throw new Unclear(node)
  }

  function templateTexts(node: ts.TemplateExpression, asking: Asking, at: At): Text[] {
    return node.templateSpans.reduce<Text[]>(
      (before, { expression, literal }) =>
        product(before, holeTexts(expression, asking, at), [[fixed(literal)]]),
      [[fixed(node.head)]],
    )
  }

  function binaryTexts(node: ts.BinaryExpression, asking: Asking, at: At): Text[] {
    const right = () => textsOf(node.right, asking, deeper(at))
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.AmpersandAmpersandToken:
        return right()
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
        return [...textsOf(node.left, asking, deeper(at)), ...right()]
      case ts.SyntaxKind.PlusToken:
        return product(holeTexts(node.left, asking, at), holeTexts(node.right, asking, at))
      default:
        throw new Unclear(node)
    }
  }

  /** A part of a text: what can be followed, one of the words that its type allows, or a sample. */
  function holeTexts(node: ts.Expression, asking: Asking, at: At): Text[] {
    const type = checker.getTypeAtLocation(node)
    if (type.flags & ts.TypeFlags.NumberLike) return [[{ text: "7" }]]
    const words = wordsOf(type)?.map((text) => [{ text }])
    if (words && ts.isPropertyAccessExpression(node)) return words
    try {
      return textsOf(node, asking, { ...deeper(at), isPart: true })
    } catch (error) {
      if (error instanceof Unclear) return words ?? [[{ text: asking.sample }]]
      throw error
    }
  }

  function nameTexts(node: ts.Identifier, asking: Asking, at: At): Text[] {
    if (node.text === "undefined") return []
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    const declaration = symbol && real(symbol).valueDeclaration
    if (declaration && ts.isVariableDeclaration(declaration)) {
      // What may be something else later has texts that are not in its first one.
      const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
      if (!isConst || !declaration.initializer) throw new Unclear(node)
      return textsOf(declaration.initializer, asking, deeper(at))
    }
    if (declaration && ts.isParameter(declaration)) return passedTexts(declaration, asking, at)
    if (!declaration || !ts.isBindingElement(declaration)) throw new Unclear(node)
    if (declaration.initializer) throw new Unclear(node)
    const known = asking.known(declaration, at.isPart)
    if (known) return [...known]
    const name = (declaration.propertyName ?? declaration.name).getText()
    const property = checker.getTypeAtLocation(declaration.parent).getProperty(name)
    return propertyTexts(property, node, asking, at)
  }

  /** At every call of the function whose parameter it is. */
  function passedTexts(parameter: ts.ParameterDeclaration, asking: Asking, at: At): Text[] {
    const owner = parameter.parent
    const position = owner.parameters.indexOf(parameter)
    const holder = ts.isConstructorDeclaration(owner) ? owner.parent : owner
    const name =
      holder.name ?? (ts.isVariableDeclaration(holder.parent) ? holder.parent.name : undefined)
    const calls = (called.get(name?.getText() ?? "") ?? []).filter(
      (call) => checker.getResolvedSignature(call)?.declaration === owner,
    )
    if (calls.length === 0) throw new Unclear(parameter)
    return calls.flatMap((call) => {
      const passed = call.arguments?.[position] ?? parameter.initializer
      return passed ? textsOf(passed, asking, deeper(at)) : []
    })
  }

  /** Wherever an object of that type is written down. */
  function propertyTexts(
    property: ts.Symbol | undefined,
    node: ts.Node,
    asking: Asking,
    at: At,
  ): Text[] {
    const declarations = property?.declarations ?? []
    const [parameter] = declarations.filter(ts.isParameter)
    if (parameter) return passedTexts(parameter, asking, at)
    const found = (assigned.get(property?.name ?? "") ?? []).filter((assignment) =>
      meant(assignment).some((one) => declarations.includes(one)),
    )
    if (found.length === 0) throw new Unclear(node)
    return found.flatMap((one) => textsOf(valueOf(one), asking, deeper(at)))
  }

  /** The declarations of the property that an object's property is written for. */
  function meant(assignment: Assigned): readonly ts.Declaration[] {
    const type = checker.getContextualType(assignment.parent)
    const types = type?.isUnion() ? type.types : type ? [type] : []
    const properties = types.flatMap((one) => one.getProperty(assignment.name.getText()) ?? [])
    return [assignment, ...properties.flatMap(({ declarations }) => declarations ?? [])]
  }

  function resultTexts(node: ts.CallExpression, asking: Asking, at: At): Text[] {
    const declaration = checker.getResolvedSignature(node)?.declaration
    const body = declaration && "body" in declaration ? declaration.body : undefined
    if (!body) throw new Unclear(node)
    if (!ts.isBlock(body)) return textsOf(body, asking, deeper(at))
    return returnsOf(body).flatMap((returned) => textsOf(returned, asking, deeper(at)))
  }

  function real(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  return (expression: ts.Expression, asking: Asking) =>
    textsOf(expression, asking, { depth: 0, isPart: false })
}

function deeper({ depth, isPart }: At): At {
  return { depth: depth + 1, isPart }
}

/** By name, since most names are asked for by nobody, and a type takes time. */
function indexOf(files: readonly ts.SourceFile[]) {
  const assigned = new Map<string, Assigned[]>()
  const called = new Map<string, Called[]>()
  for (const file of files) {
    everyNode(file, (node) => {
      if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
        put(assigned, node.name.getText(), node)
      }
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const { expression } = node
        const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
        put(called, name.getText(), node)
      }
    })
  }
  return { assigned, called }
}

function fixed(node: ts.LiteralLikeNode): Part {
  return { text: node.text, place: placeOf(node) }
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

export function valueOf(assignment: Assigned): ts.Expression {
  return ts.isPropertyAssignment(assignment) ? assignment.initializer : assignment.name
}

type Wrapped =
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression
  | ts.AwaitExpression

function isWrapped(node: ts.Expression): node is Wrapped {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  )
}

/** The few words that the type allows, `null` and `undefined` aside; undefined where it is any text. */
function wordsOf(type: ts.Type): string[] | undefined {
  const types = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)),
  )
  const words = types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
  return words.length > 0 && words.length === types.length ? words : undefined
}

/** Of the function itself, not of those inside it. */
function returnsOf(body: ts.Block): ts.Expression[] {
  const returned: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) returned.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  visit(body)
  return returned
}

function product(...lists: readonly (readonly Text[])[]): Text[] {
  return lists.reduce<Text[]>(
    (before, list) => before.flatMap((start) => list.map((end) => [...start, ...end])),
    [[]],
  )
}
