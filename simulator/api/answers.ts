/** Answers that go wrong on purpose: what each kind of fault looks like on the wire. */
import type { FastifyReply } from "fastify"

import type { Fault } from "../faults"

export type Answer = {
  status: number
  body: unknown
  headers: Readonly<Record<string, string>>
  /** The body stops in the middle and the connection ends. */
  isCut: boolean
}

const DETAILS: Record<string, unknown> = {
  "401": "Could not validate credentials",
  "403": "Merchant account is not verified",
  "404": "Not found",
  "422": [{ loc: ["body"], msg: "Refused by script", type: "value_error" }],
  "429": "Too many requests",
}
const RETRY_AFTER_SECONDS = "1"
const PAGE = "<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>"

/** Sends what the fault makes of an answer. `hang` never sends; closing the connection ends it. */
export function sendFault(reply: FastifyReply, { kind }: Fault, answer: Answer): FastifyReply {
  switch (kind) {
    case "reset":
      reply.hijack()
      reply.raw.socket?.resetAndDestroy()
      return reply
    case "hang":
      return reply.hijack()
    case "cut":
      return sendCut(reply, answer)
    case "html":
      return reply.code(200).type("text/html").send(PAGE)
    case "shape":
      return reply.code(200).send({ unexpected: true })
    default: {
      const status = Number(kind)
      if (status === 429) void reply.header("retry-after", RETRY_AFTER_SECONDS)
      return reply.code(status).send({ detail: DETAILS[kind] ?? "Internal error" })
    }
  }
}

/** The first half of the body under the length of the whole, then the end of the connection. */
export function sendCut(reply: FastifyReply, answer: Answer): FastifyReply {
  const body = Buffer.from(JSON.stringify(answer.body))
  const half = body.subarray(0, Math.floor(body.length / 2))
  reply.hijack()
  reply.raw.writeHead(answer.status, {
    "content-type": "application/json",
    "content-length": body.length,
  })
  reply.raw.write(half, () => reply.raw.socket?.destroy())
  return reply
}
