/**
 * The same status read four ways, each as its own documentation would have it, on as many kept
 * connections. A read answers the reference that it found, so that nobody is quick by not reading.
 */
import http from "node:http"
import path from "node:path"
import { LIMITS } from "../../src/core/limits"
import { EXECUTION, HEADERS, REFERENCE, STATUS_PATH, STATUS_TEMPLATE } from "./one-answer"

export type ReaderName = keyof typeof READERS

/** One read: the reference in the answer. */
export type Read = () => Promise<unknown>

/** The settings of the client's own pool, see `packages/gateway/src/transport.ts`. */
const POOL = {
  connections: LIMITS.connectionsPerOrigin,
  pipelining: 1,
  keepAliveTimeout: LIMITS.keepAliveMs,
  keepAliveMaxTimeout: LIMITS.keepAliveMs,
  headersTimeout: 0,
  bodyTimeout: LIMITS.bodyPauseDeadlineMs,
}

/** What ships, not its sources. */
const BUILT_CLIENT = path.resolve(__dirname, "../../packages/gateway/dist/index.js")

/** Each loads its library only when it is meant: one process has one of them. */
const READERS = {
  async client(url: string): Promise<Read> {
    const { createGateway }: typeof import("../../packages/gateway/src") = require(BUILT_CLIENT)
    const gateway = createGateway({ baseUrl: url, clientId: "bench", clientSecret: "bench" })
    return async () => {
      const outcome = await gateway.status.collection(REFERENCE)
      if (outcome.kind !== "done") throw outcome.error
      return outcome.value.referenceId
    }
  },

  async undici(url: string): Promise<Read> {
    const { Pool } = await import("undici")
    const pool = new Pool(url, POOL)
    return async () => {
      const { body } = await pool.request({ method: "GET", path: STATUS_PATH, headers: HEADERS })
      const execution: typeof EXECUTION = JSON.parse(await body.text())
      return execution.reference_id
    }
  },

  async axios(url: string): Promise<Read> {
    const { default: axios } = await import("axios")
    const httpAgent = new http.Agent({ keepAlive: true, maxSockets: POOL.connections })
    const client = axios.create({ baseURL: url, httpAgent, headers: HEADERS })
    return async () => (await client.get<typeof EXECUTION>(STATUS_PATH)).data.reference_id
  },

  async "openapi-fetch"(url: string): Promise<Read> {
    const { Agent, setGlobalDispatcher } = await import("undici")
    setGlobalDispatcher(new Agent(POOL))
    const { default: createClient } = await import("openapi-fetch")
    const client = createClient<Paths>({ baseUrl: url, headers: HEADERS })
    const params = { path: { reference_id: REFERENCE } }
    return async () => (await client.GET(STATUS_TEMPLATE, { params })).data?.reference_id
  },
}

/** What `openapi-typescript` makes of the one operation. */
type Paths = {
  [STATUS_TEMPLATE]: {
    get: {
      parameters: { path: { reference_id: string } }
      responses: { 200: { content: { "application/json": typeof EXECUTION } } }
    }
  }
}

/** @param name a {@link ReaderName}, as it came over the command line */
export async function openReader(name: string, url: string): Promise<Read> {
  const open = Object.entries(READERS).find(([known]) => known === name)?.[1]
  if (!open) throw new Error(`There is no reader "${name}".`)
  return open(url)
}
