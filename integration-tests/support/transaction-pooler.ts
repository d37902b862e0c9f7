/**
 * A pooler in transaction mode, on the wire: each transaction of a client runs on another connection
 * of the server, and nothing is reset in between. As PgBouncer without prepared statements, it knows
 * nothing of the names that a client gives its statements.
 */
import { once } from "node:events"
import net from "node:net"
import { Client } from "pg"

export type TransactionPooler = {
  /** Of the same database, through the pooler. */
  readonly url: string
  /** How many transactions each connection of the server has run. */
  readonly transactions: () => readonly number[]
  /** Asks each connection of the server the same, on its own session. */
  askEach(sql: string): Promise<Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
}

/** Of `pg`: the socket below a client that has logged in. */
type LoggedIn = Client & { readonly connection: { readonly stream: net.Socket } }

type Server = {
  readonly client: Client
  readonly socket: net.Socket
  transactions: number
  /** Gets what the server answers, as whole messages. */
  answer: (message: Buffer) => void
}

const SSL_REQUEST = 80_877_103
const TYPE_AND_LENGTH = 5
const [QUERY, SYNC, TERMINATE, READY] = ["Q", "S", "X", "Z"].map((type) => type.charCodeAt(0))
const IDLE = "I".charCodeAt(0)
/** Logged in, as user and database of the pooler itself; ready, in no transaction. */
const WELCOME = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, IDLE])

export async function startTransactionPooler(
  databaseUrl: string,
  size: number,
): Promise<TransactionPooler> {
  const servers = await Promise.all(Array.from({ length: size }, () => openServer(databaseUrl)))
  const idle = [...servers]
  const waiting: ((server: Server) => void)[] = []
  /** The one that has rested longest, so that a client hardly ever gets the same again. */
  const take = () =>
    new Promise<Server>((resolve) => {
      const server = idle.shift()
      if (server) resolve(server)
      else waiting.push(resolve)
    })
  const giveBack = (server: Server) => {
    const next = waiting.shift()
    if (next) next(server)
    else idle.push(server)
  }
  const clients = new Set<net.Socket>()
  const listener = net.createServer((client) => {
    clients.add(client)
    client.on("error", () => {}).on("close", () => clients.delete(client))
    serve(client, take, giveBack)
  })
  listener.listen(0, "127.0.0.1")
  await once(listener, "listening")
  const address = new URL(databaseUrl)
  address.hostname = "127.0.0.1"
  address.port = String((listener.address() as net.AddressInfo).port)
  return {
    url: address.href,
    transactions: () => servers.map(({ transactions }) => transactions),
    askEach: (sql) => Promise.all(servers.map((server) => ask(server, sql))),
    async stop() {
      for (const client of clients) client.destroy()
      listener.close()
      for (const { socket } of servers) socket.destroy()
      await once(listener, "close")
    },
  }
}

/** Speaks for a client until it leaves: a server's connection is its own for one transaction. */
function serve(
  client: net.Socket,
  take: () => Promise<Server>,
  giveBack: (server: Server) => void,
): void {
  let server: Server | undefined
  let hasBegun = false
  let unanswered = 0
  let turn = Promise.resolve()

  async function forward(message: Buffer): Promise<void> {
    const type = message[0]
    if (type === TERMINATE) return void client.end()
    if (type === QUERY || type === SYNC) unanswered += 1
    server ??= await taken()
    server.socket.write(message)
  }

  async function taken(): Promise<Server> {
    const given = await take()
    given.transactions += 1
    given.answer = (message) => {
      client.write(message)
      if (message[0] !== READY) return
      unanswered -= 1
      if (unanswered > 0 || message[TYPE_AND_LENGTH] !== IDLE) return
      server = undefined
      giveBack(given)
    }
    return given
  }

  const read = messagesIn((message) => {
    turn = turn.then(() => forward(message))
  })
  client.on("data", (data: Buffer) => {
    if (hasBegun) return read(data)
    if (data.readInt32BE(4) === SSL_REQUEST) return void client.write("N")
    hasBegun = true
    client.write(WELCOME)
  })
}

async function openServer(connectionString: string): Promise<Server> {
  const client = new Client({ connectionString })
  await client.connect()
  const { stream: socket } = (client as LoggedIn).connection
  socket.removeAllListeners()
  socket.on("error", () => {})
  const server: Server = { client, socket, transactions: 0, answer: () => {} }
  socket.on(
    "data",
    messagesIn((message) => server.answer(message)),
  )
  return server
}

/** One row of one statement without parameters, each field as its text. */
async function ask(server: Server, sql: string): Promise<Record<string, unknown>> {
  const before = server.answer
  const row: { readonly [name: string]: unknown } = await new Promise((resolve, reject) => {
    let text = ""
    server.answer = (message) => {
      const type = String.fromCharCode(message[0] ?? 0)
      if (type === "D") text = message.subarray(TYPE_AND_LENGTH + 2 + 4).toString()
      if (type === "E") reject(new Error(message.subarray(TYPE_AND_LENGTH).toString()))
      if (type === "Z") resolve(JSON.parse(text) as Record<string, unknown>)
    }
    const body = Buffer.from(`select to_json(asked) from (${sql}) asked\0`)
    const head = Buffer.alloc(TYPE_AND_LENGTH)
    head.write("Q")
    head.writeInt32BE(body.length + 4, 1)
    server.socket.write(Buffer.concat([head, body]))
  })
  server.answer = before
  return row
}

/** @returns what is called with each piece of a stream, and calls `each` with whole messages */
function messagesIn(each: (message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= TYPE_AND_LENGTH) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      each(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
