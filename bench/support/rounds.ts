/**
 * Several readers, each in a process of its own, that read in turns: what disturbs one disturbs
 * all.
 */
import { withFixedGateway } from "./client-fixture"
import type { ReaderName } from "./readers"
import { startReading, type Block, type Reading } from "./reading-process"

export type Round = ReadonlyMap<ReaderName, Reading>

export type Rounds = {
  readonly readers: readonly ReaderName[]
  /** Reads that each makes before the first round, so that its code is compiled. */
  readonly warmUp: number
  readonly rounds: number
  /** What each reads in one round. */
  readonly block: Block
}

export async function readInRounds(
  { readers, warmUp, rounds, block }: Rounds,
  say: (line: string) => void,
): Promise<Round[]> {
  return withFixedGateway(async ({ url }, beside) => {
    const processes = readers.map((name) => ({ name, process: beside(startReading(name, url)) }))
    for (const { process } of processes) await process.ask({ ...block, calls: warmUp })
    const read: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      // Now in this order, now in the other: nobody always comes after the same one.
      const turns = round % 2 === 0 ? processes : [...processes].reverse()
      const readings = new Map<ReaderName, Reading>()
      for (const { name, process } of turns) readings.set(name, await process.ask(block))
      read.push(readings)
      if ((round + 1) % 10 === 0) say(`  round ${round + 1} of ${rounds}`)
    }
    return read
  })
}

/** One number of one reader from every round; NaN where it did not read. */
export function fromRounds(
  rounds: readonly Round[],
  name: ReaderName,
  number: (reading: Reading) => number,
): number[] {
  return rounds.map((round) => {
    const reading = round.get(name)
    return reading ? number(reading) : Number.NaN
  })
}

/** Round by round, because both numbers of a round had the same machine. */
export const ratiosOf = (values: readonly number[], to: readonly number[]): number[] =>
  values.map((value, round) => value / (to[round] ?? Number.NaN))
