// @ts-check
/**
 * Writes `contract/plugin.openapi.json` and `docs/api.md` from the endpoints and their schemas. What
 * a field means is the comment beside it in its schema; the examples are real answers that the tests
 * over HTTP kept in a file (`API_EXAMPLES`).
 *
 * `node scripts/api-reference.mjs` writes, `--check` ends with 1 when it would change something, and
 * `--examples FILE` first takes one answer for each endpoint from a file of kept ones.
 */
import fs from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
require("../bench/support/load-typescript.cjs")
const { z } = require("zod")
const {
  ADMIN,
  ADMIN_ROOT,
  PUBLIC,
  PUBLIC_ROOT,
  STORE,
  STORE_ROOT,
} = require("../src/api/endpoints/index.ts")
const { refusalResponse } = require("../src/core/schemas/refusal.ts")
const { ANNOUNCEMENT_NAMES } = require("../src/worker/rules/announcements.ts")
const { docsOf } = require("./support/schema-docs.cjs")
const { version } = require("../package.json")

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const EXAMPLES = "scripts/support/api-examples.json"
const OPENAPI = "contract/plugin.openapi.json"
const PAGE = "docs/api.md"

/** @typedef {import("./support/schema-docs.cjs").Docs} Docs */
/** @typedef {Record<string, any>} Json */

/* Schemas that have a name are components; the others stand where they are used. */

/** @type {Map<unknown, string>} */
const nameOf = new Map()
/** @type {Map<string, { schema: any, docs: Docs }>} */
const components = new Map()
for (const file of schemaFiles()) {
  for (const [name, schema] of Object.entries(require(file))) {
    if (!(schema instanceof z.ZodObject) || nameOf.has(schema)) continue
    // The room tells two of one name apart.
    const room = pascal(path.basename(path.resolve(file, "../..")))
    const title = components.has(pascal(name)) ? `${room}${pascal(name)}` : pascal(name)
    if (components.has(title)) throw new Error(`Two schemas are called ${title}.`)
    nameOf.set(schema, title)
    components.set(title, { schema, docs: docsOf(file, name) })
  }
}

function schemaFiles() {
  const rooms = fs.readdirSync(path.join(ROOT, "src"))
  return rooms.flatMap((room) => {
    const folder = path.join(ROOT, "src", room, "schemas")
    if (!fs.existsSync(folder)) return []
    // What the database stores crosses no border that a caller sees.
    const shown = fs.readdirSync(folder).filter((file) => !file.startsWith("stored"))
    return shown.map((file) => path.join(folder, file))
  })
}

/** @param {string} name */
function pascal(name) {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}

/**
 * @param {any} schema
 * @param {"input" | "output"} io
 * @param {boolean} [isComponent] its own name is not referred to
 * @returns {Json}
 */
function jsonOf(schema, io, isComponent = false) {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: (
      /** @type {{ zodSchema: unknown, jsonSchema: Json }} */ { zodSchema, jsonSchema },
    ) => {
      const name = nameOf.get(zodSchema)
      if (name !== undefined && !(isComponent && zodSchema === schema)) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
        jsonSchema["$ref"] = `#/components/schemas/${name}`
        return
      }
      // The format says it, and the pattern of a date is unreadable.
      if (jsonSchema["format"]) delete jsonSchema["pattern"]
      // A later version may add a key.
      delete jsonSchema["additionalProperties"]
    },
  })
  const { $schema: _, ...json } = made
  return json
}

/**
 * Puts the comments of the source beside the fields.
 *
 * @param {Json} json
 * @param {Docs} docs
 */
function describe(json, docs) {
  for (const [name, field] of Object.entries(json["properties"] ?? {})) {
    const found = docs.fields.get(name)
    if (!found) continue
    const inner = objectIn(field)
    if (inner) describe(inner, found)
    if (found.doc) field["description"] = found.doc
  }
  return json
}

/**
 * @param {Json} json
 * @returns {Json | undefined}
 */
function objectIn(json) {
  if (json["properties"]) return json
  if (json["items"]) return objectIn(json["items"])
  return (json["anyOf"] ?? []).map(objectIn).find(Boolean)
}

/* The endpoints. */

const AREAS = [
  { title: "The store's routes", root: STORE_ROOT, endpoints: STORE },
  { title: "The admin's routes", root: ADMIN_ROOT, endpoints: ADMIN },
  { title: "Addresses that need no key", root: PUBLIC_ROOT, endpoints: PUBLIC },
].map(({ endpoints, ...area }) => ({
  ...area,
  routes: Object.entries(endpoints).map(([key, endpoint]) => {
    const [method = "", address = ""] = key.split(" ")
    return { ...endpoint, method, path: `${area.root}${address}` }
  }),
}))

const kept = /** @type {Record<string, Json>} */ (
  JSON.parse(fs.readFileSync(path.join(ROOT, EXAMPLES), "utf8"))
)

/**
 * Of the kept answers the shortest that leaves no list empty.
 *
 * @param {string} file
 */
function takeExamples(file) {
  /** @type {Record<string, Json>} */
  const taken = { ...kept }
  /** @type {Map<string, number>} */
  const cost = new Map()
  for (const line of fs.readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { key, path: asked, sent, status, body } = JSON.parse(line)
    if (status !== 200) continue
    const text = JSON.stringify(body)
    const costs = text.length + (text.match(/\[\]|:null/g)?.length ?? 0) * 60
    if (costs >= (cost.get(key) ?? Infinity)) continue
    cost.set(key, costs)
    taken[key] = { asked, ...(sent !== undefined && { sent }), answered: body }
  }
  const sorted = Object.fromEntries(Object.entries(taken).sort(([a], [b]) => (a < b ? -1 : 1)))
  fs.writeFileSync(path.join(ROOT, EXAMPLES), `${JSON.stringify(sorted, null, 1)}\n`)
  Object.assign(kept, taken)
}

function openapi() {
  /** @type {Json} */
  const paths = {}
  for (const { root, routes } of AREAS) {
    for (const route of routes) {
      const address = route.path.replace(/:(\w+)/g, "{$1}")
      paths[address] ??= {}
      paths[address][route.method.toLowerCase()] = operationOf(route, root)
    }
  }
  /** @type {Json} */
  const schemas = {}
  for (const [name, { schema, docs }] of [...components].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const io = isSent(name) ? "input" : "output"
    const json = describe(jsonOf(schema, io, true), docs)
    schemas[name] = docs.doc ? { description: docs.doc, ...json } : json
  }
  return {
    openapi: "3.1.0",
    info: { title: "medusa-plugin-merchant-payments", version },
    paths,
    components: { schemas },
  }
}

/** @param {string} name */
const isSent = (name) => /(Query|Body)$/.test(name)

/**
 * @param {any} route
 * @param {string} root
 */
function operationOf(route, root) {
  const { does, params = {}, query, body, response, sends, policy, method, path: address } = route
  const ids = Object.entries(params).map(([name, { oneOf }]) => ({
    name,
    in: "path",
    required: true,
    schema: oneOf ? { type: "string", enum: oneOf } : { type: "string" },
  }))
  const example = kept[`${method} ${address}`]
  const asked = query ? queryParameters(query) : []
  const refused = { $ref: "#/components/schemas/RefusalResponse" }
  return {
    tags: [root],
    description: does,
    ...(policy && { "x-policy": `${policy.resource}:${policy.operation}` }),
    ...(ids.length + asked.length > 0 && { parameters: [...ids, ...asked] }),
    ...(body && {
      requestBody: {
        content: {
          "application/json": { schema: jsonOf(body, "input"), ...exampleOf(example?.["sent"]) },
        },
      },
    }),
    responses: {
      ...(sends === "redirect"
        ? { 303: { description: "Sends the browser on." } }
        : { 200: { description: "Done.", content: contentOf(response, sends, example) } }),
      default: {
        description: "Refused.",
        content: { "application/json": { schema: refused } },
      },
    },
  }
}

/** @param {unknown} value */
const exampleOf = (value) => (value === undefined ? {} : { example: value })

/**
 * @param {any} response
 * @param {string | undefined} sends
 * @param {Json | undefined} example
 */
function contentOf(response, sends, example) {
  const json = response && sends !== "text/event-stream"
  const schema = response && jsonOf(response, "output")
  return {
    ...(json && { "application/json": { schema, ...exampleOf(example?.["answered"]) } }),
    ...(sends && { [sends]: sends === "text/event-stream" ? { schema } : {} }),
  }
}

/** @param {any} query */
function queryParameters(query) {
  const name = nameOf.get(query) ?? ""
  const docs = components.get(name)?.docs ?? { doc: "", fields: new Map() }
  const json = describe(jsonOf(query, "input", true), docs)
  const required = json["required"] ?? []
  return Object.entries(json["properties"] ?? {}).map(([field, { description, ...schema }]) => ({
    name: field,
    in: "query",
    ...(required.includes(field) && { required: true }),
    ...(description && { description }),
    schema,
  }))
}

/* The page. */

/** @param {Json} document */
function page(document) {
  const names = Object.keys(document["components"].schemas)
  return [
    "<!-- Written by scripts/api-reference.mjs. -->",
    "",
    "# HTTP API",
    "",
    "For developers who call the plugin's routes: every route with what it takes and answers. " +
      "`contract/plugin.openapi.json` in the package has the same for tools, with examples from " +
      "real answers.",
    "",
    "Unless a field says otherwise, amounts are numbers in major units, currencies are upper case, " +
      "times are ISO 8601 in UTC, every key is always there, and `null` means that there is none.",
    "",
    "The store's routes need the publishable key; the session's id is the permission to see its " +
      "payment. The admin's routes need a login or a secret API key and, in a store with " +
      "[Medusa's roles](operations.md#roles), the policy that stands beside each. A refusal is a " +
      "[`RefusalResponse`](#refusalresponse); [Errors](storefront.md#errors) lists the codes.",
    ...AREAS.flatMap(({ title, routes }) => ["", `## ${title}`, ...routes.flatMap(routeText)]),
    "",
    "## Events on the bus",
    "",
    "On Medusa's event bus; [Events](operations.md#events) says when each is sent and what holds " +
      "for all of them.",
    "",
    "| Event | `data` |",
    "| --- | --- |",
    ...ANNOUNCEMENT_NAMES.map(
      (/** @type {string} */ name) => `| \`${name}\` | ${linked(dataOf(name))} |`,
    ),
    "",
    "## Types",
    ...names.filter((name) => !isInline(name)).flatMap((name) => typeText(name, document)),
    "",
  ].join("\n")
}

/** @param {string} event */
function dataOf(event) {
  if (event.includes(".account_")) return "AccountEventData"
  return event.includes(".method_") ? "MethodEventData" : "AnnouncementData"
}

/** What some route takes as its body. */
const bodies = new Set(AREAS.flatMap(({ routes }) => routes.map(({ body }) => nameOf.get(body))))

/** A query's fields stand with its route. @param {string} name */
const isInline = (name) => name.endsWith("Query") && !bodies.has(name)

/** @param {string} name */
function linked(name) {
  if (name === "") throw new Error("A route's body or response has no name below `schemas/`.")
  return `[\`${name}\`](#${name.toLowerCase()})`
}

/** @param {any} route */
function routeText({ does, policy, query, body, response, sends, method, path: address }) {
  const answers = [
    ...(response ? [linked(nameOf.get(response) ?? "")] : []),
    ...(sends ? [sends === "redirect" ? "a redirect" : `\`${sends}\``] : []),
  ]
  const facts = [
    ...(body ? [`Body: ${linked(nameOf.get(body) ?? "")}.`] : []),
    `Answers: ${answers.join(" or ")}.`,
    ...(policy ? [`Policy: \`${policy.resource}:${policy.operation}\`.`] : []),
  ]
  const fields = query ? queryParameters(query) : []
  const rows = fields.map(
    ({ name, required, description, schema }) =>
      `| \`${name}${required ? "" : "?"}\` | ${typeOf(schema)} | ${cell(description)} |`,
  )
  return [
    "",
    `### ${method} ${address}`,
    "",
    does,
    "",
    facts.join(" "),
    ...(rows.length > 0 ? ["", "| Query | Type | |", "| --- | --- | --- |", ...rows] : []),
  ]
}

/**
 * @param {string} name
 * @param {Json} document
 */
function typeText(name, document) {
  const json = document["components"].schemas[name]
  return [
    "",
    `### ${name}`,
    "",
    ...(json.description ? [json.description, ""] : []),
    ...rowsOf(json),
  ]
}

/** @param {Json} json */
function rowsOf(json) {
  const rows = fieldRows(json, "")
  return rows.length > 0 ? ["| Field | Type | |", "| --- | --- | --- |", ...rows] : ["No fields."]
}

/**
 * @param {Json} json
 * @param {string} before
 * @returns {string[]}
 */
function fieldRows(json, before) {
  const required = json["required"] ?? []
  return Object.entries(json["properties"] ?? {}).flatMap(([name, field]) => {
    const { description, ...schema } = field
    const key = `${before}${name}`
    const mark = required.includes(name) ? "" : "?"
    const inner = objectIn(schema)
    const row = `| \`${key}${mark}\` | ${typeOf(schema)} | ${cell(description)} |`
    return [row, ...(inner ? fieldRows(inner, `${key}${isList(schema) ? "[]" : ""}.`) : [])]
  })
}

/** @param {Json} schema */
const isList = (schema) =>
  schema["type"] === "array" ||
  (schema["anyOf"] ?? []).some((/** @type {Json} */ one) => one["type"] === "array")

/** @param {string | undefined} text */
const cell = (text = "") => text.replaceAll("|", "\\|")

/**
 * @param {Json} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema["$ref"]) return linked(schema["$ref"].split("/").at(-1))
  if (schema["anyOf"]) return [...new Set(schema["anyOf"].map(typeOf))].join(" or ")
  if (schema["enum"])
    return schema["enum"].map((/** @type {unknown} */ one) => `\`${one}\``).join(", ")
  if (schema["prefixItems"]) return schema["prefixItems"].map(typeOf).join(" and ")
  if ("const" in schema) return `\`${schema["const"]}\``
  if (schema["type"] === "array") return `list of ${typeOf(schema["items"] ?? {})}`
  if (schema["format"]) return schema["format"] === "date-time" ? "time" : schema["format"]
  return schema["type"] ?? "any"
}

/* Writing. */

const given = process.argv.indexOf("--examples")
if (given > 0) takeExamples(process.argv[given + 1] ?? "")
const document = openapi()
write(OPENAPI, `${JSON.stringify(document, null, 1)}\n`)
write(PAGE, page(document))

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  const target = path.join(ROOT, file)
  const before = fs.existsSync(target) ? fs.readFileSync(target, "utf8") : ""
  if (before === text) return
  if (process.argv.includes("--check")) {
    console.error(`${file} is stale. Run: npm run readme`)
    process.exitCode = 1
    return
  }
  fs.writeFileSync(target, text)
  console.log(`${file} written.`)
}
