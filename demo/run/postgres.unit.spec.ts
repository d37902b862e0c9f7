import { Client } from "pg"
import { type Postgres, startPostgres } from "./postgres.cjs"

async function firstValue(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

describe("embedded PostgreSQL, thrown away", () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })

  afterAll(() => postgres.stop())

  it("answers on localhost, on the port it names", async () => {
    expect(new URL(postgres.url).hostname).toBe("localhost")
    expect(Number(new URL(postgres.url).port)).toBe(postgres.port)
    expect(await firstValue(postgres.url, "select 1")).toBe(1)
  })

  it("clones a database from a template", async () => {
    const template = await postgres.createDatabase("template_of_test")
    await firstValue(template, "create table kept as select 42 as answer")
    const clone = await postgres.createDatabase("clone-1", { template: "template_of_test" })
    expect(await firstValue(clone, "select answer from kept")).toBe(42)
  })

  it("leaves a database alone that exists already", async () => {
    const url = await postgres.createDatabase("twice")
    await firstValue(url, "create table kept as select 1 as answer")
    expect(await postgres.createDatabase("twice")).toBe(url)
    expect(await firstValue(url, "select answer from kept")).toBe(1)
  })

  it("compares letters beyond ASCII without regard to case", async () => {
    expect(await firstValue(postgres.url, "select 'É' ilike 'é'")).toBe(true)
  })
})
