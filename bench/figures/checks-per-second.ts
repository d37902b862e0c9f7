/**
 * How much of what the gateway can answer a worker makes use of: full checks that change nothing
 * (claim, ask, decide, write) a second, over the bare questions with as many under way. Gateway,
 * database, workers and the floor are processes of their own; the gateway holds each answer back.
 * Then two workers at once, and how busy they and the machine are: what limits the sum.
 */
import os from "node:os"
import { LIMITS } from "../../src/core/limits"
import type { LedgerDatabase } from "../../integration-tests/support/ledger-database"
import type { Benchmark, Figure } from "../figure"
import { startChecking, type Checking } from "../support/checking-process"
import type { ClientFixture } from "../support/client-fixture"
import { inLedger } from "../support/ledger"
import { startRawReading } from "../support/raw-reading-process"
import { startSimulator } from "../support/simulator"
import { median, sum } from "../support/statistics"

const LIMIT = 0.6
const LATENCY_MS = 20
const PAYMENTS = 2_000
const ROUNDS = 7
const BUSY_PERCENT = 90

export const checksPerSecond: Benchmark = {
  name: "checks_per_second_ratio",
  on: "client",
  run: (fixture) => inLedger((ledger) => measure(fixture, ledger)),
}

async function measure(
  { root, say, withSimulator }: ClientFixture,
  ledger: LedgerDatabase,
): Promise<Figure> {
  await withSimulator()
  const simulator = await startSimulator(root, { latencyMs: LATENCY_MS })
  const one = startChecking(ledger.url, simulator.gateway)
  const other = startChecking(ledger.url, simulator.gateway)
  const raw = startRawReading(simulator.gateway)
  try {
    await one.ask({ start: PAYMENTS })
    say(`  ${PAYMENTS} payments wait for their payers`)
    const references = (
      await ledger.sql("select reference::text as reference from mp_operation")
    ).map((row) => String(row["reference"]))
    const rounds = []
    // The first round sees that they are under way, and compiles the code of all three.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const floor = await raw.ask({ references, inFlight: LIMITS.checksInFlight })
      await makeDue(ledger)
      const worker = await one.ask({})
      await makeDue(ledger)
      const machine = machineBusy()
      const both = await Promise.all([one.ask({}), other.ask({})])
      const busyPercent = machine()
      if (round > 0) rounds.push({ floor, worker, both, busyPercent })
      say(`  round ${round} of ${ROUNDS}: ${perSecond(worker).toFixed(0)} checks a second`)
    }
    const ratios = rounds.map(({ floor, worker }) => perSecond(worker) / perSecond(floor))
    const busyPercent = median(rounds.map((round) => round.busyPercent))
    return {
      value: median(ratios),
      unit: "of the floor's questions",
      better: "higher",
      against: `undici's request and JSON.parse with ${LIMITS.checksInFlight} under way, in turns`,
      limit: LIMIT,
      samples: ROUNDS,
      ratios,
      checks_per_second: median(rounds.map(({ worker }) => perSecond(worker))),
      questions_per_second_floor: median(rounds.map(({ floor }) => perSecond(floor))),
      worker_cpu_percent: median(rounds.map(({ worker }) => cpuPercent(worker))),
      two_workers_per_second: median(rounds.map(({ both }) => together(both))),
      two_workers_cpu_percent: median(rounds.map(({ both }) => sum(both.map(cpuPercent)))),
      two_workers_machine_busy_percent: busyPercent,
      cores: os.availableParallelism(),
      limited_by:
        busyPercent >= BUSY_PERCENT
          ? "the machine: gateway, database and workers share its cores"
          : `the ${LATENCY_MS} ms of each answer, with ${LIMITS.checksInFlight} under way a worker`,
      in_flight: LIMITS.checksInFlight,
      latency_ms: LATENCY_MS,
      payments: PAYMENTS,
    }
  } finally {
    await Promise.all([one.stop(), other.stop(), raw.stop()])
    await simulator.stop()
  }
}

/** All of them, and nobody is on screen; the next look is set by the look itself. */
const makeDue = ({ sql }: LedgerDatabase) =>
  sql(
    `update mp_operation set next_check_at = now(), waiting = false
      where state in ('submitted', 'in_flight')`,
  )

const perSecond = ({ checks, elapsedMs }: Checking) => (checks * 1_000) / elapsedMs

const cpuPercent = ({ cpuMs, elapsedMs }: Checking) => (cpuMs / elapsedMs) * 100

/** Of all workers, until the last was ready. */
const together = (all: readonly Checking[]) =>
  (sum(all.map(({ checks }) => checks)) * 1_000) /
  Math.max(...all.map(({ elapsedMs }) => elapsedMs))

/** @returns what ends the measurement: how busy all cores were since, in percent */
function machineBusy(): () => number {
  const times = () => os.cpus().map(({ times: { idle, ...busy } }) => ({ idle, ...busy }))
  const count = (of: ReturnType<typeof times>) => ({
    idle: sum(of.map(({ idle }) => idle)),
    all: sum(of.flatMap((core) => Object.values(core))),
  })
  const before = count(times())
  return () => {
    const after = count(times())
    return 100 - ((after.idle - before.idle) / (after.all - before.all)) * 100
  }
}
