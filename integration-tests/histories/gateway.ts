/** The gateway of a history: a simulator of its own, and the secrets that must be found nowhere. */
import { startSimulator, type Simulator, type SimulatorOptions } from "../../packages/simulator/src"
import { CLIENT_ID, CLIENT_SECRET } from "./secrets"

export function openSimulator(
  seed: number | string,
  nowMs: () => number,
  given: Omit<SimulatorOptions, "seed" | "clock"> = {},
): Promise<Simulator> {
  return startSimulator({
    port: 0,
    seed: String(seed),
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    clock: { now: nowMs },
    // A product that counts on the gateway to stop the second refund is found out.
    partialRefunds: "UNCAPPED",
    ...given,
  })
}
