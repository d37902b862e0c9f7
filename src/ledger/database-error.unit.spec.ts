import { LIMITS } from "../core/limits"
import { drivenClock } from "../../integration-tests/gateway/driven-clock"
import { databaseFault, isAway, isRepeatable, type DatabaseFault } from "./database-error"
import { repeatStatement } from "./database"

/** As the driver throws them: an error with a code, or with none. */
function failure(code: string | undefined, message = "the database says no"): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

const CODES: readonly (readonly [code: string, fault: DatabaseFault, what: string])[] = [
  ["40001", "rolled_back", "could not serialise"],
  ["40P01", "rolled_back", "deadlock"],
  ["55P03", "rolled_back", "lock not available"],
  ["08001", "not_begun", "could not connect"],
  ["08004", "not_begun", "connection rejected"],
  ["25006", "not_begun", "read-only after a failover"],
  ["53300", "not_begun", "too many connections"],
  ["57P03", "not_begun", "starting up"],
  ["ECONNREFUSED", "not_begun", "nobody listens"],
  ["ENOTFOUND", "not_begun", "no such host"],
  ["EAI_AGAIN", "not_begun", "no answer about the host"],
  ["EHOSTUNREACH", "not_begun", "no way to the host"],
  ["40003", "in_doubt", "statement completion unknown"],
  ["57P01", "in_doubt", "ended by an administrator"],
  ["57P02", "in_doubt", "server crash"],
  ["57P05", "in_doubt", "idle session"],
  ["08000", "in_doubt", "connection exception"],
  ["08003", "in_doubt", "connection does not exist"],
  ["08006", "in_doubt", "connection failure"],
  ["08007", "in_doubt", "transaction resolution unknown"],
  ["08P01", "in_doubt", "protocol violation"],
  ["ECONNRESET", "in_doubt", "reset"],
  ["EPIPE", "in_doubt", "the other side is gone"],
  ["ETIMEDOUT", "in_doubt", "no answer"],
  ["23505", "refused", "unique rule"],
  ["23514", "refused", "check rule"],
  ["42P01", "refused", "no such table"],
  ["57014", "refused", "statement timeout"],
  ["53100", "refused", "disk full"],
  ["toString", "refused", "a name that every object has"],
]

describe("[P16][P17] an error of the database", () => {
  it.each(CODES)("%s is %s (%s)", (code, fault) => {
    expect(databaseFault(failure(code))).toBe(fault)
  })

  it.each<[string, DatabaseFault]>([
    ["Connection terminated unexpectedly", "in_doubt"],
    ["Connection terminated", "in_doubt"],
    ["Client has encountered a connection error and is not queryable", "in_doubt"],
    ["Client was closed and is not queryable", "in_doubt"],
    ["Knex: Timeout acquiring a connection. The pool is probably full.", "no_turn"],
    ["timeout exceeded when trying to connect", "no_turn"],
    ["Unable to acquire a connection", "no_turn"],
    ["cannot read properties of undefined", "refused"],
  ])("without a code is told by its words: %s", (message, fault) => {
    expect(databaseFault(failure(undefined, message))).toBe(fault)
  })

  it("is told by its code before its words", () => {
    expect(databaseFault(failure("23505", "Connection terminated"))).toBe("refused")
  })

  it.each([undefined, null, "40001", 40001, { code: 40001 }, {}])("is not: %p", (thrown) => {
    expect(databaseFault(thrown)).toBe("refused")
  })

  it("is repeated only when the statement surely did nothing", () => {
    const repeated = CODES.filter(([, fault]) => isRepeatable(fault)).map(([code]) => code)
    expect(repeated.sort()).toEqual(
      ["40001", "40P01", "55P03", "08001", "08004", "25006", "53300", "57P03"]
        .concat("ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH")
        .sort(),
    )
    expect(isRepeatable("in_doubt")).toBe(false)
    expect(isRepeatable("no_turn")).toBe(false)
  })

  it("means that the database is away unless it was there to roll back or to refuse", () => {
    const faults: readonly DatabaseFault[] = [
      "rolled_back",
      "not_begun",
      "no_turn",
      "in_doubt",
      "refused",
    ]
    expect(faults.filter(isAway)).toEqual(["not_begun", "no_turn", "in_doubt"])
  })
})

describe("[P17] a statement", () => {
  /** Fails with these codes, one after another, and then answers. */
  function failing(...codes: string[]) {
    const state = { runs: 0 }
    const run = () => {
      const code = codes[state.runs++]
      return code === undefined ? Promise.resolve("done") : Promise.reject(failure(code))
    }
    return { state, run }
  }
  const ports = (clock = drivenClock()) => ({ clock, random: { fraction: () => 0.5 } })

  it("that surely did nothing goes again, after a pause of chance below a doubling ceiling", async () => {
    const clock = drivenClock()
    const { state, run } = failing("40001", "40P01")
    expect(await repeatStatement(run, ports(clock))).toBe("done")
    expect(state.runs).toBe(3)
    expect(clock.sleeps).toEqual([LIMITS.databasePauseMs / 2, LIMITS.databasePauseMs])
  })

  it("is tried only so often, and its last error is the one that counts", async () => {
    const codes = Array.from({ length: LIMITS.databaseTries + 3 }, () => "40001")
    const { state, run } = failing(...codes)
    await expect(repeatStatement(run, ports())).rejects.toMatchObject({ code: "40001" })
    expect(state.runs).toBe(LIMITS.databaseTries)
  })

  it.each(["57P01", "08006", "ECONNRESET", "23505"])(
    "[P15] that may have done something, or would be refused again, goes once (%s)",
    async (code) => {
      const { state, run } = failing(code)
      await expect(repeatStatement(run, ports())).rejects.toMatchObject({ code })
      expect(state.runs).toBe(1)
    },
  )
})
