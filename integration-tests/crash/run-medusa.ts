/**
 * Tells each story once as it is, and then again with something going wrong at Medusa: at each call that
 * it made, each fault that can strike that call. The same three workers play them all; nobody dies.
 */
import { startLedgerDatabase, type LedgerDatabase } from "../support/ledger-database"
import {
  faultsIn,
  hostFaultAtWork,
  MEDUSA_FAULTS,
  type Asked,
  type HostFault,
  type MedusaFault,
} from "./medusa-faults"
import { MEDUSA_CALLS, type MedusaCall } from "./medusa-calls"
import { MEDUSA_STORIES } from "./medusa-stories"
import { runScenario, type Verdict } from "./run-scenario"
import { OK } from "./scripts"
import type { Story } from "./stories"
import { startWorker, type WorkerProcess } from "./worker-process"

const SIDE_BY_SIDE = 2
const WORKERS = 3

export type MedusaVerdict = {
  readonly id: string
  /** Undefined: the story as it is. */
  readonly fault: MedusaFault | undefined
  readonly hasStruck: boolean
  readonly verdict: Verdict
}

export type MedusaRun = {
  readonly verdicts: readonly MedusaVerdict[]
  /** Of all stories together. */
  readonly calls: ReadonlySet<MedusaCall>
}

type Telling = { readonly story: Story; readonly fault: HostFault | null }

export type MedusaOptions = {
  readonly seed: number
  /** Each call meets each fault in one story only. */
  readonly isShort: boolean
  onVerdict?(verdict: MedusaVerdict): void
}

export async function runMedusa({ seed, isShort, onVerdict }: MedusaOptions): Promise<MedusaRun> {
  const hands = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, openHand))
  const verdicts: MedusaVerdict[] = []
  const asked = new Map<Story, readonly Asked[]>()
  const play = async (tellings: readonly Telling[]) => {
    const left = [...tellings]
    await Promise.all(
      hands.map(async (hand) => {
        for (let next = left.shift(); next; next = left.shift()) {
          const told = await tell(hand, next, seed)
          if (!next.fault) asked.set(next.story, told.asked)
          verdicts.push(told)
          onVerdict?.(told)
        }
      }),
    )
  }
  try {
    await play(MEDUSA_STORIES.map((story) => ({ story, fault: null })))
    const met = new Set<string>()
    await play(
      MEDUSA_STORIES.flatMap((story) =>
        faultsOf(asked.get(story) ?? []).map((fault) => ({ story, fault })),
      ).filter(({ fault }) => {
        const key = `${fault.call} ${fault.fault}`
        return !isShort || (!met.has(key) && met.add(key))
      }),
    )
  } finally {
    await Promise.all(hands.map(closeHand))
  }
  const calls = new Set([...asked.values()].flatMap((all) => all.map(({ call }) => call)))
  return { verdicts, calls }
}

const faultsOf = (asked: readonly Asked[]) => faultsIn(asked)

type Hand = { readonly ledger: LedgerDatabase; readonly workers: WorkerProcess[]; isStuck: boolean }

async function openHand(): Promise<Hand> {
  const ledger = await startLedgerDatabase()
  const workers = Array.from({ length: WORKERS }, () => startWorker(ledger.url))
  return { ledger, workers, isStuck: false }
}

async function closeHand({ ledger, workers }: Hand): Promise<void> {
  await Promise.all(workers.map((worker) => worker.end()))
  await ledger.stop()
}

async function tell(hand: Hand, { story, fault }: Telling, seed: number) {
  const atWork = hostFaultAtWork(fault)
  const name = fault
    ? `${story.name}, Medusa's ${fault.call} (${fault.nth}) ${fault.fault}`
    : `${story.name}, nothing goes wrong`
  const [victim, ...survivors] = hand.workers
  if (!victim) throw new Error("nobody is there to play")
  const verdict: Verdict =
    // Each takes its whole bound: the first says it for all.
    hand.isStuck && fault?.fault === "hangs"
      ? { name, kills: 0, faults: 0, violations: ["I7: as the one before"], ending: "" }
      : await runScenario(
          { ledger: hand.ledger, victim, survivors },
          { story, script: OK, death: null, shopper: "at once" },
          seed,
          atWork,
        ).then(
          (told) => ({ ...told, name }),
          (error: unknown) => {
            const violations = [`the harness failed: ${String(error)}`]
            return { name, kills: 0, faults: 0, violations, ending: "" }
          },
        )
  if (victim.isStuck()) {
    hand.isStuck = true
    hand.workers[0] = startWorker(hand.ledger.url)
  }
  return {
    id: fault ? MEDUSA_FAULTS[fault.fault] : "",
    fault: fault?.fault,
    hasStruck: atWork.hasStruck(),
    asked: atWork.asked,
    verdict,
  }
}

export const ALL_CALLS = Object.keys(MEDUSA_CALLS) as MedusaCall[]
