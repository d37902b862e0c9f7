/** What happens to processes, their machines and the line to the gateway, and time itself. */
import { TODAY } from "./release"
import type { Deeds } from "./commands"
import type { Worker } from "./kinds"
import type { Flow, World } from "./world"

const CHECKS_AT_MOST = 50

type Doings = Deeds<
  "check" | "sweep" | "tell" | "kill" | "fault" | "refuse" | "pass" | "clock" | "upgrade"
>

export function surroundingsIn({ processes, simulator, medusa, clock, news }: World): Doings {
  /** A worker takes one pass at a time. One that died is started again. */
  const works = (worker: Worker, flow: Flow) => {
    if (!processes.isAtWork(worker)) processes.launch(processes.serve(worker), flow)
  }
  return {
    check: ({ worker }) =>
      works(worker, (deps, { checkDueOperations }) =>
        checkDueOperations(deps, { atMost: CHECKS_AT_MOST }),
      ),
    sweep: ({ worker }) => works(worker, (deps, { sweep }) => sweep(deps, () => Promise.resolve())),
    tell({ worker }) {
      // Of the last release only what looks after payments is played.
      if (processes.machines[worker].runs.release !== TODAY) return
      const teller = processes.begin(worker)
      processes.launch(teller, (deps) => news.run(deps, ({ name }, act) => teller.does(name, act)))
    },
    upgrade: () => processes.upgrade(),
    kill: ({ who, moments }) => processes.doom(who, moments),
    fault: ({ operation, fault }) => simulator.faults.at({ operation, call: 1, fault }),
    refuse: ({ times }) => (medusa.refusals = times),
    pass: ({ ms }) => clock.pass(ms),
    clock: ({ who, aheadMs }) => (processes.machines[who].aheadMs = aheadMs),
  }
}
