/** What somebody reads while nobody else does anything. */
import type { FlowDeps } from "../../src/engine/deps"
import type { Database, Row } from "../../src/ledger/database"
import { WRITES } from "../support/ports-around"

/**
 * The same ports at one moment. The ledger is asked each question once: its answer would be the
 * same, and half of what a history costs is to look at it.
 */
export function atOneMoment<Deps extends Pick<FlowDeps, "clock" | "database">>(deps: Deps): Deps {
  const now = deps.clock.now()
  return {
    ...deps,
    clock: { ...deps.clock, now: () => new Date(now) },
    database: askedOnce(deps.database),
  }
}

function askedOnce(database: Database): Database {
  const answers = new Map<string, Promise<Row[]>>()
  return {
    async query(text, parameters, how) {
      if (WRITES.test(text)) {
        answers.clear()
        return database.query(text, parameters, how)
      }
      const question = JSON.stringify([text, parameters], (_key, value: unknown) =>
        typeof value === "bigint" ? `${value}n` : value,
      )
      const answer = answers.get(question) ?? database.query(text, parameters, how)
      answers.set(question, answer)
      return (await answer).map((row) => ({ ...row }))
    },
  }
}
