import { drivenClock } from "../../integration-tests/gateway/driven-clock"
import { brokenRule, databaseOver, type ConnectionPool } from "./database"

type Given = Awaited<ReturnType<ConnectionPool["client"]["acquireConnection"]>>

const TEXTS: Readonly<Record<string, string>> = {
  "0A000": "cached plan must not change result type",
}

/** A pool of one connection at a time, each of which fails with the next code, or answers. */
function scene(...codes: (string | undefined)[]) {
  const given: Given[] = []
  const names: (string | undefined)[] = []
  let back = 0
  const database = databaseOver(
    {
      client: {
        acquireConnection: () => {
          const code = codes[given.length]
          const connection: Given = {
            query: ({ name }) => {
              names.push(name)
              return code === undefined
                ? Promise.resolve({ rows: [{ ok: true }] })
                : Promise.reject(Object.assign(new Error(`no: ${TEXTS[code] ?? ""}`), { code }))
            },
          }
          given.push(connection)
          return Promise.resolve(connection)
        },
        releaseConnection: () => {
          back += 1
          return Promise.resolve()
        },
      },
    },
    { clock: drivenClock(), random: { fraction: () => 0.5 } },
  )
  return { database, given, names, back: () => back }
}

describe("a statement over Medusa's pool", () => {
  it.each(["57P01", "08006", "25006", "ECONNRESET"])(
    "[P16] marks the line that a failover broke, so that nobody gets it again (%s)",
    async (code) => {
      const { database, given } = scene(code, code, code)
      await expect(database.query("select 1", [])).rejects.toMatchObject({ code })
      for (const connection of given) expect(connection.__knex__disposed).toBeDefined()
    },
  )

  it.each(["23505", "40001", "57014"])(
    "keeps the line when only the statement failed (%s)",
    async (code) => {
      const { database, given } = scene(code, code, code)
      await expect(database.query("select 1", [])).rejects.toMatchObject({ code })
      for (const connection of given) expect(connection.__knex__disposed).toBeUndefined()
    },
  )

  it("[P17] that was rolled back goes again, and its answer is the one that counts", async () => {
    const { database, given, back } = scene("40P01", undefined)
    expect(await database.query("select 1", [])).toEqual([{ ok: true }])
    expect(given).toHaveLength(2)
    expect(back()).toBe(2)
  })

  it("[P15] whose fate is unknown does not go again, and gives its line back", async () => {
    const { database, given, back } = scene("57P01", undefined)
    await expect(database.query("update x", [])).rejects.toMatchObject({ code: "57P01" })
    expect(given).toHaveLength(1)
    expect(back()).toBe(1)
  })

  it.each(["26000", "42P05", "0A000"])(
    "goes out without its name where names are not kept, from then on (%s)",
    async (code) => {
      const { database, names, back } = scene(code, undefined, undefined)
      expect(await database.query("select 1", [], "one")).toEqual([{ ok: true }])
      expect(await database.query("select 1", [], "one")).toEqual([{ ok: true }])
      expect(names).toEqual([expect.stringMatching(/^one_/), undefined, undefined])
      expect(back()).toBe(3)
    },
  )

  it("keeps its name whatever else it is refused for", async () => {
    const { database, names } = scene("23505", undefined)
    await expect(database.query("update x", [], "one")).rejects.toMatchObject({ code: "23505" })
    await database.query("update x", [], "one")
    expect(names).toEqual([expect.stringMatching(/^one_/), expect.stringMatching(/^one_/)])
  })

  it("[P13] has another name as soon as it has another text, as in the version after", async () => {
    const { database, names } = scene(undefined, undefined, undefined)
    for (const text of ["select 1", "select 2", "select 1"]) await database.query(text, [], "one")
    expect(names[1]).not.toBe(names[0])
    expect(names[2]).toBe(names[0])
  })
})

describe("a broken rule of the database", () => {
  it("is named when it is a unique one, and nothing else is", () => {
    expect(brokenRule({ code: "23505", constraint: "one_default_account" })).toBe(
      "one_default_account",
    )
    for (const error of [{ code: "23514", constraint: "x" }, { code: "23505" }, null, "23505"]) {
      expect(brokenRule(error)).toBeUndefined()
    }
  })
})
