/**
 * A push transport of the simulator's own: server-sent events of one collection's public row. The
 * contract shows no transport (contract notes, section 11), so this one stands for whichever it is.
 */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import { Problem } from "../problem"
import { executionUnder } from "../rules/executions"
import { stepAt } from "../rules/timeline"
import type { World } from "../world"
import type { Tokens } from "./tokens"

const Query = z.object({ channel: z.string() })
const TABLE = { schema: "public", table: "checkout_payment_intent_public_status" }
/** Real time, also where the simulator's own is driven. */
const READ_EVERY_MS = 50
const HEARTBEAT_EVERY_MS = 15_000

/** The key opens its own channel, until its seconds are over. */
export function openRealtimeChannel(app: FastifyInstance, world: World, tokens: Tokens): void {
  app.get("/realtime", (request, reply) => {
    const { channel } = Query.parse(request.query)
    const key = tokens.realtimeKeyIn(world, request.headers.authorization)
    if (key.channel !== channel) throw new Problem(403, { detail: "The key of another channel" })
    const reference = channel.split(":").at(-1) ?? ""
    const statusNow = () => {
      const execution = executionUnder(world, reference)
      return execution && stepAt(execution.steps, world.time.nowMs()).status
    }
    const { raw } = reply.hijack()
    raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    raw.write(":\n\n")
    let last = statusNow()
    const reading = setInterval(() => {
      const status = statusNow()
      if (status !== last) {
        const record = { reference_id: reference, status }
        raw.write(`event: change\ndata: ${JSON.stringify({ ...TABLE, record })}\n\n`)
      }
      last = status
      if (key.endsAtMs <= world.time.nowMs()) raw.end()
    }, READ_EVERY_MS)
    const heartbeat = setInterval(() => raw.write(":\n\n"), HEARTBEAT_EVERY_MS)
    raw.once("close", () => {
      clearInterval(reading)
      clearInterval(heartbeat)
    })
  })
}
