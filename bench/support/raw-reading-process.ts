/**
 * The floor of a check: the same questions to the same gateway by undici's own `request` with
 * `JSON.parse`, in a process of its own, with nothing claimed, decided or written.
 */
import { Pool } from "undici"
import { z } from "zod"
import { LIMITS } from "../../src/core/limits"
import { answerQuestions, startAsked, type AskedProcess } from "./asked-process"
import type { Checking } from "./checking-process"
import { many } from "./many"

export type Questions = { readonly references: readonly string[]; readonly inFlight: number }

export type RawReadingProcess = AskedProcess<Questions, Checking>

export const startRawReading = (gateway: Readonly<Record<string, string>>): RawReadingProcess =>
  startAsked(__filename, [
    gateway["MERCHANT_PAYMENTS_BASE_URL"] ?? "",
    gateway["MERCHANT_PAYMENTS_CLIENT_ID"] ?? "",
    gateway["MERCHANT_PAYMENTS_CLIENT_SECRET"] ?? "",
  ])

const Token = z.object({ access_token: z.string() })
const Execution = z.object({ reference_id: z.string() })

function serve(baseUrl: string, clientId: string, clientSecret: string): void {
  const pool = new Pool(baseUrl, { connections: LIMITS.connectionsPerOrigin, pipelining: 1 })
  const headers = { accept: "application/json", "content-type": "application/json" }
  const token = async () => {
    const { body } = await pool.request({
      method: "POST",
      path: "/v1/jwt/client/obtain/token",
      headers,
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
    })
    return Token.parse(await body.json()).access_token
  }
  const known = token()
  answerQuestions<Questions, Checking>(async ({ references, inFlight }) => {
    const authorization = `Bearer ${await known}`
    const before = process.cpuUsage()
    const since = performance.now()
    await many(references, inFlight, async (reference) => {
      const { body } = await pool.request({
        method: "GET",
        path: `/v1/status/collection/${reference}`,
        headers: { accept: "application/json", authorization },
      })
      const execution: unknown = JSON.parse(await body.text())
      if (Execution.parse(execution).reference_id !== reference) throw new Error("Another answer.")
    })
    const elapsedMs = performance.now() - since
    const { user, system } = process.cpuUsage(before)
    const cpuMs = (user + system) / 1_000
    return { checks: references.length, elapsedMs, cpuMs, rssBytes: process.memoryUsage.rss() }
  })
}

const [baseUrl = "", clientId = "", clientSecret = ""] = process.argv.slice(2)
if (require.main === module) serve(baseUrl, clientId, clientSecret)
