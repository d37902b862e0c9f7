/**
 * One reader in a process of its own, told how often to read and how many reads to have under way,
 * and answering what that took of its CPU, time and memory.
 */
import { answerQuestions, startAsked, type AskedProcess } from "./asked-process"
import { REFERENCE } from "./one-answer"
import { openReader, type ReaderName } from "./readers"

export type Block = {
  readonly calls: number
  readonly inFlight: number
  /**
   * Whether garbage is collected before the memory is looked at. Never where time is measured: what
   * comes after a full collection starts on a heap that has been shrunk, with code thrown away.
   */
  readonly isCollected?: boolean
}

export type Reading = {
  /** User and system, all threads of the process. */
  readonly cpuMs: number
  readonly elapsedMs: number
  /** After the block. */
  readonly rssBytes: number
}

export type ReadingProcess = AskedProcess<Block, Reading>

export const startReading = (name: ReaderName, url: string): ReadingProcess =>
  startAsked(__filename, [name, url])

function serve(name: string, url: string): void {
  const reader = openReader(name, url)
  answerQuestions<Block, Reading>(async ({ calls, inFlight, isCollected }) => {
    const read = await reader
    let left = calls
    const worker = async () => {
      while (left-- > 0) {
        if ((await read()) !== REFERENCE) throw new Error(`${name} read something else.`)
      }
    }
    const before = process.cpuUsage()
    const since = performance.now()
    await Promise.all(Array.from({ length: inFlight }, worker))
    const elapsedMs = performance.now() - since
    const { user, system } = process.cpuUsage(before)
    if (isCollected) collect()
    return { cpuMs: (user + system) / 1_000, elapsedMs, rssBytes: process.memoryUsage.rss() }
  })
}

/** Twice: what only finalizers let go of is gone after the second time. */
function collect(): void {
  globalThis.gc?.()
  globalThis.gc?.()
}

const [name = "", url = ""] = process.argv.slice(2)
if (require.main === module) serve(name, url)
