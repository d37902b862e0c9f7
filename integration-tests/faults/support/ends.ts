/**
 * The other ends of a connection that never becomes one, and a client that has its token already.
 */
import { createServer } from "node:net"
import type { Socket } from "node:net"
import { createCaller } from "../../../packages/gateway/src/call"
import { resourcesOf } from "../../../packages/gateway/src/create-gateway"
import type { Gateway } from "../../../src/gateway"
import { drivenClock } from "../../gateway/driven-clock"
import { portOf } from "../../gateway/scripted-server"
import type { HeldToken } from "../../../packages/gateway/src/token"
import { createTokenSource } from "../../../packages/gateway/src/token"
import { createTransport } from "../../../packages/gateway/src/transport"
import type { Wire } from "../fault-table"

type End = { readonly origin: string; close(): Promise<void> }

const CONNECT_DEADLINE_MS = 100

/** A client whose calls find no connection; its token call finds none either. */
export async function gatewayWithout(at: Exclude<Wire["at"], "answers" | "stale_connection">) {
  const end = await ENDS[at]()
  const ports = { clock: drivenClock(), random: { fraction: () => 0.5 } }
  const transport = createTransport(end.origin, { connectDeadlineMs: CONNECT_DEADLINE_MS })
  const credentials = { clientId: "client", clientSecret: "CANARY-client-secret" }
  const source = createTokenSource(ports, transport, credentials, new AbortController().signal)
  const held: HeldToken = {
    authorization: "Bearer CANARY-access-token",
    minutes: 60,
    gotAtMs: 0,
    refreshAtMs: Number.POSITIVE_INFINITY,
    expiresAtMs: Number.POSITIVE_INFINITY,
  }
  const { call } = createCaller({
    ports,
    transport,
    token: { ...source, failures: 0, current: () => held },
  })
  const gateway: Gateway = {
    ...resourcesOf(call),
    isDenied: false,
    token: {
      failures: 0,
      check: async () => {
        const checked = await source.check()
        if (checked.kind !== "done") return checked
        return { kind: "done", value: { expiresInMinutes: checked.value.minutes } }
      },
    },
    close: async () => {
      await transport.close()
      await end.close()
    },
  }
  return { gateway, clock: ports.clock }
}

const ENDS = {
  /** A port that nobody listens on any more. */
  closed: async (): Promise<End> => {
    const end = await tcpEnd("http", () => undefined)
    await end.close()
    return { ...end, close: () => Promise.resolve() }
  },
  /** A label of 64 characters can't exist: answered by this machine, with or without a network. */
  no_name: (): Promise<End> =>
    Promise.resolve({
      origin: `http://${"a".repeat(64)}.invalid`,
      close: () => Promise.resolve(),
    }),
  /** Cuts each handshake. */
  no_tls: () => tcpEnd("https", (socket) => void socket.resetAndDestroy()),
  /** Takes the connection and never says a word: the handshake can't end. */
  black_hole: () => tcpEnd("https", () => undefined),
}

async function tcpEnd(
  protocol: "http" | "https",
  onConnection: (socket: Socket) => void,
): Promise<End> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `${protocol}://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
