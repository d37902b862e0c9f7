import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

/**
 * The name of an application in this process: host name, process id, and a random part, because in a
 * container the process id is always 1.
 */
export const newWorkerName = () => `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
