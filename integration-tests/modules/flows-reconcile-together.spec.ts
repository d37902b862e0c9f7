/**
 * Admins who compare at once: one at a time for all workers, and the gateway is asked for all of
 * them.
 */
import { setTimeout as sleepFor } from "node:timers/promises"
import type { FlowDeps } from "../../src/engine/deps"
import { readPeriod } from "../../src/reconciliation/read-period"
import { DAY } from "../support/an-operation"
import { codeOf } from "../support/code-of"
import { useReconcileWorld } from "../support/reconcile-world"

const { world } = useReconcileWorld()

beforeEach(() => world.simulator.resetCalls())

/** The whole days around now, so that midnight changes nothing. */
const MIDNIGHT = Math.floor(Date.now() / DAY) * DAY
const DAYS = { from: new Date(MIDNIGHT - DAY), until: new Date(MIDNIGHT + 2 * DAY) }

const read = (isFresh = false, deps: FlowDeps = world.deps) =>
  readPeriod(deps, { ...DAYS, accountId: undefined, isFresh })

/** The first such statement waits until it is let go on. */
function held(statement: string) {
  const { database } = world.deps
  let goOn = () => {}
  const isLetGo = new Promise<void>((resolve) => (goOn = resolve))
  let arrive = () => {}
  const isHeld = new Promise<void>((resolve) => (arrive = resolve))
  const deps: FlowDeps = {
    ...world.deps,
    database: {
      async query(sql, parameters, name) {
        if (sql.includes(statement)) {
          arrive()
          await isLetGo
        }
        return database.query(sql, parameters, name)
      },
    },
  }
  return { deps, isHeld, goOn }
}

const lists = () => world.simulator.calls.listOrders ?? 0

describe("two admins at once", () => {
  it("ask the gateway once: the others are told that the first is at it, or read what was found before", async () => {
    const together = async () => {
      const others = [1, 2, 3]
      let refused = 0
      // The first one's is kept only when the others have their answers.
      const gate = held("insert into mp_reconciliation")
      const first = read(true, gate.deps)
      await gate.isHeld
      const answers = await Promise.all(
        others.map(() =>
          read(true).catch((error: unknown) => {
            expect(error).toMatchObject({ code: "reconciliation_running" })
            refused += 1
          }),
        ),
      )
      gate.goOn()
      return { first: await first, answers: answers.flatMap((one) => one ?? []), refused }
    }
    const { first, refused } = await together()
    expect(refused).toBe(3)
    expect(first.is_running).toBe(false)
    expect(lists()).toBe(1)
    const second = await together()
    expect(second.answers).toMatchObject(
      [1, 2, 3].map(() => ({ is_running: true, compared_at: first.compared_at })),
    )
    expect(second.first).toMatchObject({ is_running: false })
    expect(second.first.compared_at).not.toBe(first.compared_at)
    expect(lists()).toBe(2)
  })

  it("ask it once also where the second one's turn comes when the first is through", async () => {
    const gate = held("insert into mp_task")
    const second = read(true, gate.deps)
    await gate.isHeld
    const first = await read(true)
    gate.goOn()
    expect(await second).toMatchObject({ compared_at: first.compared_at, is_running: false })
    expect(lists()).toBe(1)
  })

  it("who asks anew gets no comparison of before, however slowly the database answers", async () => {
    const first = await read()
    const { database } = world.deps
    const slow: FlowDeps = {
      ...world.deps,
      database: {
        async query(sql, parameters, name) {
          const rows = await database.query(sql, parameters, name)
          // Longer than has gone by since the first one was kept.
          if (sql.includes("from mp_reconciliation")) await sleepFor(300)
          return rows
        },
      },
    }
    expect((await read(true, slow)).compared_at).not.toBe(first.compared_at)
    expect(lists()).toBe(2)
  })

  it("whoever died at it keeps the others for a minute at most", async () => {
    await world.ledger.sql(
      `insert into mp_task (name, lease_token, lease_until)
       values ('reconcile_now', gen_random_uuid(), now() + interval '1 minute')`,
    )
    expect(await codeOf(read())).toBe("reconciliation_running")
    await world.ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")
    expect((await read()).is_complete).toBe(true)
  })
})
