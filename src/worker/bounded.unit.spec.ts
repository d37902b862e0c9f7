import { MessageChannel } from "node:worker_threads"
import { systemClock } from "../core/ports"
import { within } from "./bounded"

const LATE = { ms: 10, error: () => new Error("late") }

/** The process stands still, as one that is frozen does. */
function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it("a process that was frozen beyond the bound takes the answer that came meanwhile", async () => {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((resolve) => port1.once("message", resolve))
  const bounded = within(systemClock, answer, LATE)
  setTimeout(() => {
    port2.postMessage("the answer")
    freeze(50)
  }, 0)
  await expect(bounded).resolves.toBe("the answer")
  port1.close()
})

it("what does not come within the bound is late", async () => {
  await expect(within(systemClock, new Promise(() => {}), LATE)).rejects.toThrow("late")
})
