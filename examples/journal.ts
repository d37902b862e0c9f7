/**
 * A file that remembers what a program was about to do, a line of JSON a step. A step is on the
 * disk before the next one begins, so that a program which was killed is taken up where it was.
 *
 * Not a lock: two runs may be about to do the same at once. The first line of a step counts, and
 * both do what it says. The file may hold phone numbers; it is readable by its owner alone.
 */
import { randomUUID } from "node:crypto"
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs"
import path from "node:path"

export type Facts = Readonly<Record<string, string>>

export type Journal = {
  /** Every line, oldest first. */
  readonly lines: () => readonly Facts[]
  /** What was kept under a name, if anything was. */
  readonly find: (step: string) => Facts | undefined
  /** Writes a step unless it is there. What comes back has to be done, whoever wrote it. */
  readonly keep: (step: string, facts: Facts) => { readonly kept: Facts; readonly isMine: boolean }
}

/**
 * @param firstStep the step that a journal begins with
 * @throws {Error} when the file is something else: overwriting a damaged journal would pay twice
 */
export function openJournal(file: string, firstStep: string): Journal {
  const lines = () => {
    const read = existsSync(file) ? readFileSync(file, "utf8").split("\n").flatMap(factsIn) : []
    if (read[0] && read[0]["step"] !== firstStep) throw new Error(`No journal of a ${firstStep}.`)
    return read
  }
  const find = (step: string) => lines().find((facts) => facts["step"] === step)

  return {
    lines,
    find,
    keep(step, facts) {
      const mine = { ...facts, step, id: randomUUID(), at: new Date().toISOString() }
      if (!find(step)) {
        // On a line of its own whatever a crash has left before it.
        appendFileSync(file, `\n${JSON.stringify(mine)}\n`, { flush: true, mode: 0o600 })
        flushFolderOf(file)
      }
      const kept = find(step)
      if (!kept) throw new Error("The journal can't be read back.")
      return { kept, isMine: kept["id"] === mine.id }
    },
  }
}

/** A line that a crash cut short is none: what comes after it had not begun. */
function factsIn(line: string): Facts[] {
  try {
    const parsed: unknown = JSON.parse(line)
    return isFacts(parsed) ? [parsed] : []
  } catch {
    return []
  }
}

const isFacts = (value: unknown): value is Facts =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((fact) => typeof fact === "string")

/** Without it a power cut may take a new file away, although its content was written. */
function flushFolderOf(file: string): void {
  const folder = openSync(path.dirname(file), "r")
  fsyncSync(folder)
  closeSync(folder)
}
