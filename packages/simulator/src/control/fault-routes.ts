/** `/_simulator` routes for trouble: scripted and random faults, lags, refused connections. */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import type { Connections } from "../sockets"
import { isFaultEntry, type FaultEntry, type Faults } from "../faults"
import type { TimingControl } from "../rules/timing"

const Entry = z.custom<FaultEntry>(isFaultEntry)
const Random = z.object({
  seed: z.string(),
  rate: z.number(),
  kinds: z.array(Entry).exactOptional(),
  operations: z.array(z.string()).exactOptional(),
})
const Wanted = z.union([
  z.object({ operation: z.string(), script: z.array(Entry) }),
  z.object({ operation: z.string(), call: z.number().int().positive(), fault: Entry }),
  z.object({ random: Random.nullable() }),
])
const Timing = z.object({
  sessionLifeMs: z.number().exactOptional(),
  statusLagMs: z.number().exactOptional(),
  sourceLagMs: z.number().exactOptional(),
})
const Refusing = z.object({ forMs: z.number().int().min(0).max(600_000) })

export type TroubleControls = { faults: Faults; connections: Connections; timing: TimingControl }

export function openFaultControls(
  app: FastifyInstance,
  { faults, connections, timing }: TroubleControls,
): void {
  app.get("/_simulator/faults", () => ({
    scripts: faults.scripted(),
    random: faults.randomized(),
    history: faults.history(),
  }))
  app.post("/_simulator/faults", ({ body }) => {
    const wanted = Wanted.parse(body)
    if ("script" in wanted) faults.script(wanted.operation, wanted.script)
    else if ("call" in wanted) faults.at(wanted)
    else faults.random(wanted.random)
    return {}
  })
  app.delete("/_simulator/faults", () => {
    faults.clear()
    return {}
  })
  app.get("/_simulator/timing", () => timing.read())
  app.post("/_simulator/timing", ({ body }) => timing.set(Timing.parse(body)))
  app.post("/_simulator/connections/refuse", ({ body }, reply) => {
    const { forMs } = Refusing.parse(body)
    // The answer must be sent before its connection is cut.
    reply.raw.once("finish", () => void connections.refuse(forMs))
    return reply.send({})
  })
}
