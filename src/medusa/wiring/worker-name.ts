import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

const names = new WeakMap<object, string>()

/**
 * The name of the application with this database connection: its host and process, and a random
 * part, because a container is always process 1.
 */
export function workerOf(pool: object): string {
  const name = names.get(pool) ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
  names.set(pool, name)
  return name
}
