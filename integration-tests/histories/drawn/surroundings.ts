/** What happens to processes, their machines and the line to the gateway, and time itself. */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { Deeds } from "./commands"
import type { World } from "./world"

const CHECKS_AT_MOST = 50

type Doings = Deeds<"check" | "tell" | "kill" | "fault" | "refuse" | "pass" | "clock">

export function surroundingsIn({ processes, simulator, medusa, clock, news }: World): Doings {
  return {
    /** A worker takes one pass at a time. One that died is started again. */
    check({ worker }) {
      if (processes.isAtWork(worker)) return
      processes.launch(processes.serve(worker), (deps) =>
        checkDueOperations(deps, { atMost: CHECKS_AT_MOST }),
      )
    },
    tell({ worker }) {
      const teller = processes.begin(worker)
      processes.launch(teller, (deps) => news.run(deps, ({ name }, act) => teller.does(name, act)))
    },
    kill: ({ who, moments }) => processes.doom(who, moments),
    fault: ({ operation, fault }) => simulator.faults.at({ operation, call: 1, fault }),
    refuse: ({ times }) => (medusa.refusals = times),
    pass: ({ ms }) => clock.pass(ms),
    clock: ({ who, aheadMs }) => (processes.machines[who].aheadMs = aheadMs),
  }
}
