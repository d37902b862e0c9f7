/**
 * Holds every answer that a test gets from the plugin's own addresses against the schema of its
 * endpoint, so that the reference of the API can't be wrong. With `API_EXAMPLES`, a file, the
 * answers are kept there, for the reference's examples.
 */
import { appendFileSync } from "node:fs"
import { z } from "zod"
import { ADMIN, ADMIN_ROOT, STORE, STORE_ROOT, type Endpoint } from "../../../src/api/endpoints"
import { refusalResponse } from "../../../src/core/schemas/refusal"

type Described = { readonly key: string; readonly pattern: RegExp; readonly endpoint: Endpoint }

const describedBy = (root: string, endpoints: Readonly<Record<string, Endpoint>>): Described[] =>
  Object.entries(endpoints).map(([route, endpoint]) => {
    const [method = "", address = ""] = route.split(" ")
    const path = `${root}${address}`
    const pattern = new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`)
    return { key: `${method} ${path}`, pattern, endpoint }
  })

const ENDPOINTS = [...describedBy(STORE_ROOT, STORE), ...describedBy(ADMIN_ROOT, ADMIN)].sort(
  // An address with a parameter fits others, too.
  (one, other) => parameters(one) - parameters(other),
)

function parameters({ key }: Described): number {
  return key.split(":").length
}

export type Exchange = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly sent?: unknown
  readonly status: number
  readonly body: unknown
}

/** @throws an answer that its endpoint does not describe */
export function assertDescribed(exchange: Exchange): void {
  const { method, path, status, body } = exchange
  const [address = ""] = path.split("?")
  const found = ENDPOINTS.find(
    ({ key, pattern }) => key.startsWith(`${method} `) && pattern.test(address),
  )
  if (!found || typeof body !== "object" || body === null) return
  const { response, sends } = found.endpoint
  const isRefusal = status >= 400 && "situation" in body
  const isAnswer = (status === 200 && sends !== "text/event-stream") || "checks" in body
  const schema = isRefusal ? REFUSAL : isAnswer ? response : undefined
  if (!schema) return
  const read = schema.safeParse(body)
  if (!read.success) {
    throw new Error(
      `${found.key} answered what it does not describe:\n${z.prettifyError(read.error)}`,
    )
  }
  const file = process.env["API_EXAMPLES"]
  if (file) appendFileSync(file, `${JSON.stringify({ ...exchange, key: found.key })}\n`)
}

/** Details stand beside the fields that every refusal has. */
const REFUSAL = z.looseObject({
  ...refusalResponse.shape,
  // A sentence that came back through Medusa has lost its situation.
  situation: refusalResponse.shape.situation.nullable(),
})
