/**
 * The simulator's own HTTP interface, under `/_simulator`, for tests and people who control it from
 * another process. It is not part of the gateway's API and needs no token.
 */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import { PlanInput } from "../plans"
import type { Simulator } from "../simulator"

export type Controls = Omit<Simulator, "url" | "port" | "close">

const Prompt = z.union([z.object({ reference: z.string() }), z.object({ phone: z.string() })])
const Challenge = z.union([
  z.object({ reference: z.string() }),
  z.object({ clientSecret: z.string() }),
])
const HostedPay = z.object({
  sourceId: z.number(),
  payment: z.union([
    z.object({ method: z.literal("mobile_money"), phone: z.string() }),
    z.object({
      method: z.literal("card"),
      outcome: z.enum(["approve", "decline"]).optional(),
    }),
  ]),
})
const HostedCancel = z.object({ sourceId: z.number() })
const Handset = z.object({ phone: z.string().optional() })

export function openControls(app: FastifyInstance, simulator: Controls): void {
  app.get("/_simulator/health", () => ({ status: "ok" }))
  app.get("/_simulator/book", () => simulator.book.toJSON())
  app.get("/_simulator/calls", () => simulator.calls)
  app.get("/_simulator/contract-violations", () => simulator.contractViolations)
  app.post("/_simulator/reset-calls", () => {
    simulator.resetCalls()
    return {}
  })
  app.post("/_simulator/revoke-tokens", () => {
    simulator.revokeTokens()
    return {}
  })
  app.post("/_simulator/plans", ({ body }) => {
    simulator.plan(PlanInput.parse(body))
    return {}
  })
  app.delete("/_simulator/plans", () => {
    simulator.clearPlans()
    return {}
  })
  app.get("/_simulator/handset", ({ query }) =>
    simulator.handset.pending(Handset.parse(query).phone),
  )
  app.post("/_simulator/handset/approve", ({ body }) =>
    simulator.handset.approve(Prompt.parse(body)),
  )
  app.post("/_simulator/handset/decline", ({ body }) =>
    simulator.handset.decline(Prompt.parse(body)),
  )
  app.get("/_simulator/card", () => simulator.card.pending())
  app.post("/_simulator/card/pass", ({ body }) => simulator.card.pass(Challenge.parse(body)))
  app.post("/_simulator/card/refuse", ({ body }) => simulator.card.refuse(Challenge.parse(body)))
  app.post("/_simulator/hosted/pay", ({ body }) => {
    const { sourceId, payment } = HostedPay.parse(body)
    return simulator.hosted.pay(sourceId, payment)
  })
  app.post("/_simulator/hosted/cancel", ({ body }) =>
    simulator.hosted.cancel(HostedCancel.parse(body).sourceId),
  )
}
