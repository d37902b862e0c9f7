/**
 * How bodies are parsed, and how errors outside the rules are answered. The gateway answers 422 to
 * a body that is not JSON, as to any other invalid input.
 */
import type { FastifyInstance } from "fastify"
import { ZodError } from "zod"

import { WrongControl } from "./control/wrong-control"
import { Problem } from "./problem"
import { NoPrompt } from "./rules/handset"
import { HostedRefusal } from "./rules/hosted"

export function addBodyFormats(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_: unknown, text: string) => (text === "" ? undefined : parsedJson(text)),
  )
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const detail = [{ loc: ["body"], msg: "Not a JSON body", type: "value_error.jsondecode" }]
    throw new Problem(422, { detail })
  }
}

export function addErrorAnswers(app: FastifyInstance): void {
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ detail: "Not Found" }))
  app.setErrorHandler((error, _, reply) => {
    if (error instanceof Problem) return reply.code(error.status).send(error.body)
    if (error instanceof NoPrompt) return reply.code(404).send({ detail: error.message })
    if (error instanceof HostedRefusal) return reply.code(409).send({ detail: error.message })
    if (error instanceof WrongControl) return reply.code(400).send({ detail: error.message })
    if (error instanceof ZodError) return reply.code(400).send({ detail: error.issues })
    const isCallers =
      error instanceof Error &&
      "statusCode" in error &&
      typeof error.statusCode === "number" &&
      error.statusCode < 500
    if (isCallers) return reply.code(422).send({ detail: [callersMistake(error.message)] })
    // A defect of the simulator. None of its messages contain a phone number or a secret.
    console.error(error)
    return reply.code(500).send({ detail: "Internal error of the simulator" })
  })
}

const callersMistake = (msg: string) => ({ loc: ["body"], msg, type: "value_error" })
