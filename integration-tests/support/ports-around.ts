/**
 * All that leaves a process of ours: statements to Postgres, calls of the gateway and of Medusa,
 * and what the shop's subscribers are told. A proof puts itself around each of them, so that it
 * misses none.
 */
import type { EventBus } from "../../src/worker/announce"
import type { Gateway } from "../../src/gateway"
import type { Database } from "../../src/ledger/database"

export type Exit = {
  /**
   * `ledger`, or the call in the port's own words: `executions.collection`, `medusa.completeCart`.
   */
  readonly name: string
  readonly kind: "ledger reads" | "ledger writes" | "calls"
}

/**
 * @param act does what the flow asked for; what it returns the flow gets, unless `around` says
 *   otherwise
 */
export type Around = (exit: Exit, act: () => Promise<unknown>) => Promise<unknown>

type Ports = {
  readonly database?: Database
  readonly medusa?: object
  readonly bus?: EventBus
  gatewayOf?(account: never): Gateway | undefined
  keptGateway?(credentialId: string): Promise<Gateway | undefined>
}

export const WRITES = /\b(insert into|update mp_|delete from)/i

export function databaseAround(database: Database, around: Around): Database {
  return {
    query: async (sql, ...rest) => {
      const kind = WRITES.test(sql) ? "ledger writes" : "ledger reads"
      const rows = await around({ name: "ledger", kind }, () => database.query(sql, ...rest))
      return rows as Awaited<ReturnType<Database["query"]>>
    },
  }
}

/** The same object; each method of it, and of the objects in it, is called through `around`. */
export function callsAround<Port extends object>(port: Port, prefix: string, around: Around): Port {
  const wrapped = new Map<PropertyKey, unknown>()
  return new Proxy(port, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof name === "symbol" || found === null || wrapped.has(name)) {
        return wrapped.get(name) ?? found
      }
      const path = `${prefix}${name}`
      if (typeof found === "object") {
        wrapped.set(name, callsAround(found, `${path}.`, around))
      } else if (typeof found === "function") {
        wrapped.set(name, (...given: unknown[]) =>
          around({ name: path, kind: "calls" }, async () => {
            const answer: unknown = await Reflect.apply(found, target, given)
            return answer
          }),
        )
      }
      return wrapped.get(name) ?? found
    },
  })
}

/** What flows are given, with `around` at each way out of the process. */
export function portsAround<Deps extends Ports>(deps: Deps, around: Around): Deps {
  const gateways = new WeakMap<Gateway, Gateway>()
  const gatewayAround = (gateway: Gateway | undefined) => {
    if (!gateway) return undefined
    const known = gateways.get(gateway) ?? callsAround(gateway, "", around)
    gateways.set(gateway, known)
    return known
  }
  const { database, medusa, bus, gatewayOf, keptGateway } = deps
  return {
    ...deps,
    ...(database ? { database: databaseAround(database, around) } : {}),
    ...(medusa ? { medusa: callsAround(medusa, "medusa.", around) } : {}),
    ...(bus ? { bus: callsAround(bus, "bus.", around) } : {}),
    ...(gatewayOf ? { gatewayOf: (account: never) => gatewayAround(gatewayOf(account)) } : {}),
    ...(keptGateway
      ? { keptGateway: async (id: string) => gatewayAround(await keptGateway(id)) }
      : {}),
  }
}
