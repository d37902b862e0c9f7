/**
 * How every API call runs: count it, apply a fault, authenticate, check the rate limit, check the
 * request against the contract, carry it out, check the answer against the contract, write it as
 * the temper does, delay, send.
 */
import { setTimeout as sleepFor } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"

import type { Contract, ContractViolation } from "../contract/contract"
import type { Fault, Faults } from "../faults"
import { Problem, refused } from "../problem"
import type { Wire } from "../wire/wire"
import type { World } from "../world"
import { NOTHING_DONE, sendAnswer, sendFault, type ApiResponse } from "./answers"
import { CutResponse, type Operation } from "./operation"
import { requirePlainTexts } from "./plain-texts"
import type { RateLimit } from "./rate-limit"
import type { Tokens } from "./tokens"

export type ApiParts = {
  world: World
  contract: Contract
  tokens: Tokens
  faults: Faults
  rateLimit: RateLimit
  wire: Wire
  /** Calls per operation, refused and faulted ones included. */
  calls: Record<string, number>
  /** Delay of every answer in milliseconds of real time. */
  latencyMs: number
  /** Refuses connections for this many milliseconds. */
  refuseFor(ms: number): void
  /** Ends waiting calls when the simulator closes. */
  closing: AbortSignal
  onViolation(violation: ContractViolation): void
}

const Fields = z.record(z.string(), z.unknown())
const SLOW_MS = 1_000
const REFUSE_MS = 1_000

/** Opens the routes of these operations, under the contract's methods and paths. */
export function openApi(
  app: FastifyInstance,
  parts: ApiParts,
  operations: readonly Operation[],
): void {
  for (const { operation: id, method, path, isSecured } of parts.contract.routes) {
    const operation = operations.find((candidate) => candidate.id === id)
    if (!operation) continue
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ":$1"),
      handler: (request, reply) => served(parts, operation, isSecured, request, reply),
    })
  }
}

async function served(
  parts: ApiParts,
  operation: Operation,
  isSecured: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  parts.calls[operation.id] = (parts.calls[operation.id] ?? 0) + 1
  const fault = parts.faults.next(operation.id)
  if (fault && !fault.isAfter && fault.kind !== "slow") {
    await paused(parts, parts.latencyMs)
    return faulted(parts, operation, fault, NOTHING_DONE, request, reply)
  }
  const intercepted = fault ? null : parts.wire.intercepted(operation.id)
  if (intercepted) return sendAnswer(dated(parts, reply), intercepted)
  const slowMs = fault?.kind === "slow" ? Number(fault.argument ?? SLOW_MS) : 0
  // A slow gateway has read the call, so it carries it out even if the caller has stopped waiting.
  const isOpen = await paused(parts, fault?.isAfter ? 0 : slowMs)
  if (!isOpen) return reply.hijack()
  if (fault?.kind === "twice") carriedOut(parts, operation, isSecured, request)
  const tidy = carriedOut(parts, operation, isSecured, request)
  const violation = parts.contract.violation(operation.id, tidy.status, tidy.body)
  if (violation) parts.onViolation(violation)
  const answer = parts.wire.written(operation.id, tidy)
  await paused(parts, parts.latencyMs + (fault?.isAfter ? slowMs : 0))
  return fault
    ? faulted(parts, operation, fault, answer, request, reply)
    : sendAnswer(dated(parts, reply), answer)
}

/** Sets the `Date` header from the simulator's clock, like every other time stamp. */
function dated({ world }: ApiParts, reply: FastifyReply): FastifyReply {
  return reply.header("date", new Date(world.time.nowMs()).toUTCString())
}

function faulted(
  parts: ApiParts,
  { id }: Operation,
  fault: Fault,
  answer: ApiResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const nowMs = parts.world.time.nowMs()
  sendFault(dated(parts, reply), fault, answer, {
    nowMs,
    address: request.url,
    written: (refusal) => parts.wire.written(id, refusal),
  })
  if (fault.kind === "refuse") parts.refuseFor(Number(fault.argument ?? REFUSE_MS))
  return reply
}

function carriedOut(
  parts: ApiParts,
  operation: Operation,
  isSecured: boolean,
  request: FastifyRequest,
): ApiResponse {
  const { world, tokens, contract } = parts
  try {
    const ownerId = isSecured ? tokens.authenticate(world, request.headers.authorization) : 0
    parts.rateLimit(world, ownerId)
    requireJson(request)
    const input = contract.checkedInput(operation.id, {
      params: Fields.parse(request.params),
      query: Fields.parse(request.query),
      body: request.body,
    })
    if (world.settings.texts === "plain") requirePlainTexts(input.body)
    const body = operation.run(world, ownerId, input)
    const isCut = body instanceof CutResponse
    return { status: 200, body: isCut ? body.body : body, headers: {}, isCut }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, body: error.body, headers: error.headers, isCut: false }
  }
}

/** The same server parses the pages' forms, but the API takes JSON alone (contract notes, 1). */
function requireJson({ body, headers }: FastifyRequest): void {
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "")
  if (body !== undefined && !isJson) throw refused(["body"], "Not a JSON body")
}

/** False if the simulator closed in the meantime. */
async function paused({ closing }: ApiParts, ms: number): Promise<boolean> {
  if (ms > 0) await sleepFor(ms, undefined, { signal: closing }).catch(() => null)
  return !closing.aborted
}
