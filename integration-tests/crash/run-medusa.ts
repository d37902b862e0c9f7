/**
 * Tells each journey once as it is, and then again with something going wrong at Medusa: at each
 * call that it made, each fault that can strike that call. The same three workers play them all;
 * nobody dies.
 */
import { startLedgerDatabase, type LedgerDatabase } from "../support/ledger-database"
import { Reader } from "../histories/reader"
import {
  faultsIn,
  medusaFaultAtWork,
  MEDUSA_FAULTS,
  type Asked,
  type MedusaCallFault,
} from "./medusa-faults"
import { firstOfEach } from "../support/whole-tables"
import { MEDUSA_CALLS, type MedusaCall } from "./medusa-calls"
import { MEDUSA_JOURNEYS, PAID_BACK_JOURNEY } from "./medusa-journeys"
import { nameOf, runScenario, type Verdict } from "./run-scenario"
import { OK, type Script } from "./scripts"
import { PUSH_JOURNEY, type Journey } from "./journeys"
import { startWorker, type WorkerProcess } from "../histories/worker-process"

const SIDE_BY_SIDE = 2
const WORKERS = 3
/** The bound of a call to Medusa need not be waited out. */
const HASTE = 5

const SHORT_JOURNEYS = [PUSH_JOURNEY, PAID_BACK_JOURNEY]

export type MedusaVerdict = Verdict & {
  /** Of the fault; undefined: the journey as it is. */
  readonly id: string | undefined
  readonly hasStruck: boolean
  readonly calls: ReadonlySet<MedusaCall>
}

export type MedusaOptions = {
  readonly seed: number
  /** Each fault strikes one call that reads and one that writes, in two journeys. */
  readonly isShort?: boolean
  onVerdict?(verdict: MedusaVerdict): void
}

type Telling = { readonly journey: Journey; readonly fault: MedusaCallFault | null }

export async function runMedusa({
  seed,
  isShort = false,
  onVerdict,
}: MedusaOptions): Promise<MedusaVerdict[]> {
  const hands = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, openHand))
  const verdicts: MedusaVerdict[] = []
  const asked = new Map<Journey, readonly Asked[]>()
  const play = async (tellings: readonly Telling[]) => {
    const left = [...tellings]
    const playOnAndOn = async (hand: Hand) => {
      for (let next = left.shift(); next; next = left.shift()) {
        const told = await tell(hand, next, seed)
        if (!next.fault) asked.set(next.journey, told.asked)
        verdicts.push(told.verdict)
        onVerdict?.(told.verdict)
      }
    }
    await Promise.all(hands.map(playOnAndOn))
  }
  try {
    const journeys = isShort ? SHORT_JOURNEYS : MEDUSA_JOURNEYS
    await play(journeys.map((journey) => ({ journey, fault: null })))
    const all = journeys.flatMap((journey) =>
      faultsIn(asked.get(journey) ?? []).map((fault) => ({ journey, fault })),
    )
    const kindOf = ({ fault: { call, fault } }: (typeof all)[number]) =>
      `${MEDUSA_CALLS[call].kind} ${fault}`
    await play(isShort ? firstOfEach(all, kindOf) : all)
  } finally {
    await Promise.all(hands.map(closeHand))
  }
  return verdicts
}

type Hand = {
  readonly ledger: LedgerDatabase
  readonly workers: WorkerProcess[]
  readonly reader: Reader
  isStuck: boolean
}

async function openHand(): Promise<Hand> {
  const ledger = await startLedgerDatabase()
  const workers = Array.from({ length: WORKERS }, () => startWorker(ledger.url))
  return { ledger, workers, reader: await Reader.open(ledger.url), isStuck: false }
}

async function closeHand({ ledger, workers, reader }: Hand): Promise<void> {
  await Promise.all(workers.map((worker) => worker.end()))
  await reader.close()
  await ledger.stop()
}

/** Where a call hangs, its bound is real time. */
export function scriptAt(fault: MedusaCallFault | null): Script {
  return fault?.fault === "hangs" ? { ...OK, speed: HASTE } : OK
}

async function tell(hand: Hand, { journey, fault }: Telling, seed: number) {
  const [victim, ...survivors] = hand.workers
  if (!victim) throw new Error("nobody is there to play")
  const atWork = medusaFaultAtWork(fault)
  const isHanging = fault?.fault === "hangs"
  const scenario = {
    journey,
    script: scriptAt(fault),
    death: null,
    shopper: "at once",
    medusaFault: fault,
  } as const
  const failed = (why: string) => ({
    kills: 0,
    faults: 0,
    violations: [why],
    ending: "",
    passed: [],
    judged: {},
  })
  // Each that gets stuck takes its whole bound: the first says it for all.
  const played =
    hand.isStuck && isHanging
      ? failed("I7: as the one before")
      : await runScenario({ ...hand, victim, survivors }, scenario, seed, atWork).catch(
          (error: unknown) => failed(`the harness failed: ${String(error)}`),
        )
  if (victim.isStuck()) {
    hand.isStuck = true
    hand.workers[0] = startWorker(hand.ledger.url)
  }
  const { asked } = atWork
  const verdict: MedusaVerdict = {
    ...played,
    name: nameOf(scenario),
    id: fault ? MEDUSA_FAULTS[fault.fault] : undefined,
    hasStruck: fault === null || atWork.hasStruck(),
    calls: new Set(asked.map(({ call }) => call)),
  }
  return { verdict, asked }
}
