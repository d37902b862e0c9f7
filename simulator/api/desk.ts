/**
 * The way of every API call: counted, faulted if a script or chance says so, authenticated, held
 * against the rate limit, checked against the contract, carried out, its answer checked against the
 * contract too, delayed, sent.
 */
import { setTimeout as sleepFor } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"

import type { Contract, ContractViolation } from "../contract/contract"
import type { Fault, Faults } from "../faults"
import { Problem, refused } from "../problem"
import type { World } from "../world"
import { NOTHING_DONE, sendAnswer, sendFault, type Answer } from "./answers"
import { CutAnswer, type Operation } from "./operation"
import type { RateLimit } from "./rate-limit"
import type { Tokens } from "./tokens"

export type Desk = {
  world: World
  contract: Contract
  tokens: Tokens
  faults: Faults
  rateLimit: RateLimit
  /** Calls per operation, refused and faulted ones included. */
  calls: Record<string, number>
  /** Delay of every answer in milliseconds of real time. */
  latencyMs: number
  /** Lets nobody in for so many milliseconds. */
  refuseFor(ms: number): void
  /** Ends what waits when the simulator closes. */
  closing: AbortSignal
  onViolation(violation: ContractViolation): void
}

const Fields = z.record(z.string(), z.unknown())
const SLOW_MS = 1_000
const REFUSE_MS = 1_000

/** Opens the routes of these operations, under the contract's methods and paths. */
export function openDesk(app: FastifyInstance, desk: Desk, operations: readonly Operation[]): void {
  for (const { operation: id, method, path, isSecured } of desk.contract.routes) {
    const operation = operations.find((candidate) => candidate.id === id)
    if (!operation) continue
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ":$1"),
      handler: (request, reply) => served(desk, operation, isSecured, request, reply),
    })
  }
}

async function served(
  desk: Desk,
  operation: Operation,
  isSecured: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  desk.calls[operation.id] = (desk.calls[operation.id] ?? 0) + 1
  const fault = desk.faults.next(operation.id)
  if (fault && !fault.isAfter && fault.kind !== "slow") {
    await paused(desk, desk.latencyMs)
    return faulted(desk, fault, NOTHING_DONE, request, reply)
  }
  const slowMs = fault?.kind === "slow" ? Number(fault.argument ?? SLOW_MS) : 0
  // A slow gateway has read the call: it carries it out, whether or not the caller still waits.
  const isOpen = await paused(desk, fault?.isAfter ? 0 : slowMs)
  if (!isOpen) return reply.hijack()
  const answer = carriedOut(desk, operation, isSecured, request)
  const violation = desk.contract.violation(operation.id, answer.status, answer.body)
  if (violation) desk.onViolation(violation)
  await paused(desk, desk.latencyMs + (fault?.isAfter ? slowMs : 0))
  return fault
    ? faulted(desk, fault, answer, request, reply)
    : sendAnswer(dated(desk, reply), answer)
}

/** Says when it answers by its own clock, as it says everything else by it. */
function dated({ world }: Desk, reply: FastifyReply): FastifyReply {
  return reply.header("date", new Date(world.time.nowMs()).toUTCString())
}

function faulted(
  desk: Desk,
  fault: Fault,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const nowMs = desk.world.time.nowMs()
  sendFault(dated(desk, reply), fault, answer, { nowMs, address: request.url })
  if (fault.kind === "refuse") desk.refuseFor(Number(fault.argument ?? REFUSE_MS))
  return reply
}

function carriedOut(
  desk: Desk,
  operation: Operation,
  isSecured: boolean,
  request: FastifyRequest,
): Answer {
  const { world, tokens, contract } = desk
  try {
    const ownerId = isSecured ? tokens.authenticate(world, request.headers.authorization) : 0
    desk.rateLimit(world, ownerId)
    requireJson(request)
    const input = contract.checkedInput(operation.id, {
      params: Fields.parse(request.params),
      query: Fields.parse(request.query),
      body: request.body,
    })
    const body = operation.run(world, ownerId, input)
    const isCut = body instanceof CutAnswer
    return { status: 200, body: isCut ? body.body : body, headers: {}, isCut }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, body: error.body, headers: error.headers, isCut: false }
  }
}

/** The pages' forms are read by the same server; the API takes JSON alone (contract notes, 1). */
function requireJson({ body, headers }: FastifyRequest): void {
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "")
  if (body !== undefined && !isJson) throw refused(["body"], "Not a JSON body")
}

/** False when the simulator closed meanwhile. */
async function paused({ closing }: Desk, ms: number): Promise<boolean> {
  if (ms > 0) await sleepFor(ms, undefined, { signal: closing }).catch(() => null)
  return !closing.aborted
}
