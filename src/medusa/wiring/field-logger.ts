/**
 * The store's logger, as the plugin writes to it: a sentence for people, and fields beside it for
 * programs. Medusa's logger takes an object in its `log` alone, and a logger of the shop's own need
 * not know that form; the loggers that it most likely is (pino, winston, bunyan) have `child`. Any
 * other logger gets the fields behind the sentence.
 */
import { logger as medusas } from "@medusajs/framework/logger"
import type { Logger as MedusaLogger } from "@medusajs/framework/types"
import type { LogFields, Logger } from "../../core/ports"
import { fieldsHere } from "../../telemetry/correlation"

type Level = "debug" | "info" | "warn" | "error"

/** What is used of a store's logger. */
export type StoreLogger = Pick<MedusaLogger, Level | "log">

type Line = Readonly<Record<Level, (message: string) => void>>
type WithChild = StoreLogger & { child(fields: LogFields): Line }

const made = new WeakMap<object, Logger>()

/** One for each logger of a store. */
export function fieldLogger(store: StoreLogger, isMedusas = store === medusas): Logger {
  const known = made.get(store)
  if (known) return known
  const write = writerOf(store, isMedusas)
  const at =
    (level: Level) =>
    (message: string, given: LogFields = {}) => {
      const fields = { ...fieldsHere(), ...given }
      if (Object.keys(fields).length === 0) store[level](message)
      else write(level, message, fields)
    }
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }
  made.set(store, logger)
  return logger
}

type Write = (level: Level, message: string, fields: LogFields) => void

function writerOf(store: StoreLogger, isMedusas: boolean): Write {
  // As one object: in a text beside another argument, a "%" of the gateway's would be replaced.
  if (isMedusas) return (level, message, fields) => store.log(level, { ...fields, message })
  if (hasChild(store)) return (level, message, fields) => store.child(fields)[level](message)
  return (level, message, fields) => store[level](`${message} ${textOf(fields)}`)
}

function hasChild(store: StoreLogger): store is WithChild {
  return "child" in store && typeof store.child === "function"
}

const textOf = (fields: LogFields): string =>
  `[${Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")}]`
