// @ts-check
/**
 * The comments beside the fields of a schema, read from its source: zod's objects do not keep them.
 */
const fs = require("node:fs")
const path = require("node:path")
const ts = require("typescript")

/** @typedef {{ doc: string, fields: Map<string, Docs> }} Docs */
/** @typedef {{ source: import("typescript").SourceFile, declared: Map<string, Declared>, imported: Map<string, { file: string, name: string }> }} File */
/** @typedef {{ doc: string, value: import("typescript").Expression }} Declared */

/** @type {Map<string, File>} */
const files = new Map()

/**
 * @param {string} file
 * @param {string} name of a schema that the file declares
 * @returns {Docs}
 */
function docsOf(file, name) {
  const { declared, imported } = fileOf(file)
  const from = imported.get(name)
  if (from) return docsOf(from.file, from.name)
  const found = declared.get(name)
  if (!found) return { doc: "", fields: new Map() }
  return { doc: found.doc, fields: fieldsIn(file, found.value) }
}

/**
 * @param {string} file
 * @param {import("typescript").Expression} value
 * @returns {Map<string, Docs>}
 */
function fieldsIn(file, value) {
  if (ts.isIdentifier(value)) return docsOf(file, value.text).fields
  if (ts.isPropertyAccessExpression(value)) return fieldsIn(file, value.expression)
  if (ts.isAsExpression(value)) return fieldsIn(file, value.expression)
  if (ts.isObjectLiteralExpression(value)) return fieldsOfLiteral(file, value)
  if (!ts.isCallExpression(value)) return new Map()
  const inside = value.arguments.map((given) => fieldsIn(file, given))
  const { expression } = value
  const isOfZod =
    ts.isPropertyAccessExpression(expression) && expression.expression.getText() === "z"
  const before = ts.isPropertyAccessExpression(expression) && !isOfZod
  const own = before ? fieldsIn(file, expression.expression) : new Map()
  return new Map([own, ...inside].flatMap((fields) => [...fields]))
}

/**
 * @param {string} file
 * @param {import("typescript").ObjectLiteralExpression} literal
 */
function fieldsOfLiteral(file, literal) {
  /** @type {Map<string, Docs>} */
  const fields = new Map()
  for (const one of literal.properties) {
    if (ts.isSpreadAssignment(one)) {
      for (const [name, docs] of fieldsIn(file, one.expression)) fields.set(name, docs)
    } else if (ts.isPropertyAssignment(one)) {
      fields.set(one.name.getText(), {
        doc: commentOf(one),
        fields: fieldsIn(file, one.initializer),
      })
    } else if (ts.isShorthandPropertyAssignment(one)) {
      const { fields: inner } = docsOf(file, one.name.text)
      fields.set(one.name.text, { doc: commentOf(one), fields: inner })
    }
  }
  return fields
}

/**
 * @param {string} file
 * @returns {File}
 */
function fileOf(file) {
  const known = files.get(file)
  if (known) return known
  const text = fs.readFileSync(file, "utf8")
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {File} */
  const read = { source, declared: new Map(), imported: new Map() }
  for (const one of source.statements) {
    if (ts.isVariableStatement(one)) {
      for (const { name, initializer } of one.declarationList.declarations) {
        if (!initializer) continue
        read.declared.set(name.getText(), { doc: commentOf(one), value: initializer })
      }
    }
    if (ts.isImportDeclaration(one)) addImports(file, one, read.imported)
  }
  files.set(file, read)
  return read
}

/**
 * @param {string} file
 * @param {import("typescript").ImportDeclaration} one
 * @param {File["imported"]} imported
 */
function addImports(file, one, imported) {
  const { text } = /** @type {import("typescript").StringLiteral} */ (one.moduleSpecifier)
  const named = one.importClause?.namedBindings
  if (!text.startsWith(".") || !named || !ts.isNamedImports(named)) return
  const target = `${path.resolve(path.dirname(file), text)}.ts`
  if (!fs.existsSync(target)) return
  for (const { name, propertyName } of named.elements) {
    imported.set(name.text, { file: target, name: (propertyName ?? name).text })
  }
}

/** @param {import("typescript").Node} node */
function commentOf(node) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const [last] = comments.slice(-1)
  return ts.getTextOfJSDocComment(last?.comment)?.replace(/\s+/g, " ").trim() ?? ""
}

module.exports = { docsOf }
