/** The database that a run makes on a PostgreSQL, and asks itself. */
import { Client } from "pg"
import { StartFailure } from "../../demo/run/failure.cjs"

export type OwnDatabase = {
  readonly url: string
  sql<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** From now on it is asked at the server that took over, under the same name. */
  moveTo(serverUrl: string): Promise<void>
  drop(): Promise<void>
}

/** @throws StartFailure where the server does not answer */
export async function ownDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `merchant_payments_distributed_${process.pid}`
  let server = serverUrl
  await onServer(server, `create database ${name}`).catch((error: unknown) => {
    throw new StartFailure(
      `The PostgreSQL that DATABASE_URL names can't be used: ${String(error)}.`,
    )
  })
  let reader = await connected(at(server, name))
  return {
    url: at(server, name),
    async sql<Row = Record<string, unknown>>(text: string, values: readonly unknown[] = []) {
      const { rows } = await reader.query(text, [...values])
      return rows as Row[]
    },
    async moveTo(next) {
      await reader.end().catch(() => undefined)
      server = next
      reader = await connected(at(server, name))
    },
    async drop() {
      await reader.end()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}

const at = (serverUrl: string, database: string) =>
  Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = await connected(at(serverUrl, "postgres"))
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  // Its server may go away between two questions; the next question says so.
  client.on("error", () => undefined)
  await client.connect()
  return client
}
