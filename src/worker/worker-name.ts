import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

const names = new WeakMap<object, string>()

/**
 * The name of the application that uses this database connection: host name, process id, and a
 * random part, because in a container the process id is always 1.
 */
export function workerOf(pool: object): string {
  const name = names.get(pool) ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
  names.set(pool, name)
  return name
}
