/**
 * The way of every API call: counted, faulted if a script says so, authenticated, checked against
 * the contract, carried out, its answer checked against the contract too, delayed, sent.
 */
import { setTimeout as sleepFor } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"

import type { Contract, ContractViolation } from "../contract/contract"
import type { Fault, Faults } from "../faults"
import { Problem } from "../problem"
import type { World } from "../world"
import { sendCut, sendFault, type Answer } from "./answers"
import { CutAnswer, type Operation } from "./operation"
import type { Tokens } from "./tokens"

export type Desk = {
  world: World
  contract: Contract
  tokens: Tokens
  faults: Faults
  /** Calls per operation, refused and faulted ones included. */
  calls: Record<string, number>
  /** Delay of every answer in milliseconds of real time. */
  latencyMs: number
  onViolation(violation: ContractViolation): void
}

const Fields = z.record(z.string(), z.unknown())

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
  const fault: Fault | null = desk.faults.next(operation.id)
  if (fault && !fault.isAfter) {
    await delayed(desk)
    return sendFault(reply, fault, { status: 200, body: {}, headers: {}, isCut: false })
  }
  const answer = carriedOut(desk, operation, isSecured, request)
  const violation = desk.contract.violation(operation.id, answer.status, answer.body)
  if (violation) desk.onViolation(violation)
  await delayed(desk)
  if (fault) return sendFault(reply, fault, answer)
  if (answer.isCut) return sendCut(reply, answer)
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
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

async function delayed({ latencyMs }: Desk): Promise<void> {
  if (latencyMs > 0) await sleepFor(latencyMs)
}
