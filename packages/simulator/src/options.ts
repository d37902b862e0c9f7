/** The start options of the simulator, and their defaults. */
import { randomBytes } from "node:crypto"
import { z } from "zod"

import type { ContractViolation } from "./contract/contract"
import { systemClock, type SimulatorClock } from "./clock"
import { documentSettings, type DocumentSettings } from "./document-settings"
import { moneyOutSettings, type MoneyOutSettings } from "./money-out-settings"
import { tokenSettings, type TokenSettings } from "./token-settings"
import { troubleSettings, type TroubleSettings } from "./trouble-settings"
import { habitsOf, isHabit, TEMPERS, type Habit, type Temper } from "./wire/habits"
import type { Merchant, Settings } from "./world"

export type SimulatorOptions = {
  /** Default 4102; 0 takes any free one. */
  port?: number
  /** Default `localhost`: reachable from this machine only. */
  host?: string
  /** The same seed and clock give the same ids and tokens. Default: a new seed each time. */
  seed?: string
  /** Divides every planned delay. Default 1. */
  speed?: number
  /** Delay of each API answer in milliseconds of real time. Default 0. */
  latencyMs?: number
  /** A file that keeps the book. Default: memory only. */
  bookFile?: string
  clientId?: string
  clientSecret?: string
  /** Further clients. One with owner id 1 is the same merchant as the first. */
  merchants?: readonly Merchant[]
  /** The merchant's name on the pages. */
  merchantName?: string
  /** Origin of the hosted pages' addresses. Default: the simulator's own. */
  publicUrl?: string
  clock?: SimulatorClock
  /** Default 60. */
  tokenLifeMinutes?: number
  /** Life of a gateway session. Default 15 minutes. */
  sessionLifeMs?: number
  /** How long the status of a new execution is unknown, in milliseconds. Default 0. */
  statusLagMs?: number
  /** How far a source's status lags behind, in milliseconds. Default 0. */
  sourceLagMs?: number
  feeBearer?: Settings["feeBearer"]
  newSourceStatus?: Settings["newSourceStatus"]
  afterFailure?: Settings["afterFailure"]
  /** Default true. */
  showsPaymentIntent?: Settings["showsPaymentIntent"]
  /** How the gateway writes its answers. Default `tidy`: as the contract says. */
  wire?: Temper
  /** Single habits of the wire, beside those of the temper. */
  habits?: readonly Habit[]
  /** Called for each answer that the contract does not allow; such answers are also collected. */
  onContractViolation?: (violation: ContractViolation) => void
  /** `close()` rejects if there were contract violations. Default false; for tests. */
  isStrict?: boolean
} & Partial<MoneyOutSettings & DocumentSettings & TokenSettings & TroubleSettings>

const DEFAULT_PORT = 4102
const DEFAULT_CLIENT_ID = "simulator-client"
const DEFAULT_CLIENT_SECRET = "simulator-secret"
const DEFAULT_TOKEN_LIFE_MINUTES = 60
const DEFAULT_SESSION_LIFE_MS = 15 * 60_000
const SEED_BYTES = 16

export type ResolvedOptions = Required<
  Omit<SimulatorOptions, "bookFile" | "publicUrl" | "clientId" | "clientSecret" | "merchantName">
> & { bookFile: string | undefined; publicUrl: string | undefined }

const Numbers = z.object({
  port: z.number().int().min(0).max(65_535),
  speed: z.number().positive(),
  latencyMs: z.number().min(0),
  tokenLifeMinutes: z.number().int().positive(),
  sessionLifeMs: z.number().positive(),
  statusLagMs: z.number().min(0),
  sourceLagMs: z.number().min(0),
  sourceLifeMs: z.number().positive().nullable(),
})

/** Fills in the defaults. Throws a sentence for an invalid value. */
export function resolved(options: SimulatorOptions): ResolvedOptions {
  const first: Merchant = {
    ownerId: 1,
    clientId: options.clientId ?? DEFAULT_CLIENT_ID,
    clientSecret: options.clientSecret ?? DEFAULT_CLIENT_SECRET,
    name: options.merchantName ?? "Demo Shop",
  }
  const complete: ResolvedOptions = {
    port: options.port ?? DEFAULT_PORT,
    host: options.host ?? "localhost",
    seed: options.seed ?? randomBytes(SEED_BYTES).toString("hex"),
    speed: options.speed ?? 1,
    latencyMs: options.latencyMs ?? 0,
    bookFile: options.bookFile,
    merchants: [first, ...(options.merchants ?? [])],
    publicUrl: options.publicUrl?.replace(/\/+$/, ""),
    clock: options.clock ?? systemClock,
    tokenLifeMinutes: options.tokenLifeMinutes ?? DEFAULT_TOKEN_LIFE_MINUTES,
    sessionLifeMs: options.sessionLifeMs ?? DEFAULT_SESSION_LIFE_MS,
    statusLagMs: options.statusLagMs ?? 0,
    sourceLagMs: options.sourceLagMs ?? 0,
    feeBearer: options.feeBearer ?? "PAYEE",
    newSourceStatus: options.newSourceStatus ?? "ACTIVE",
    afterFailure: options.afterFailure ?? "ACTIVE",
    showsPaymentIntent: options.showsPaymentIntent ?? true,
    ...moneyOutSettings(options),
    ...documentSettings(options),
    ...tokenSettings(options),
    onContractViolation: options.onContractViolation ?? (() => {}),
    isStrict: options.isStrict ?? false,
    ...troubleSettings(options),
    ...temperOf(options),
  }
  const wrong = Numbers.safeParse(complete).error?.issues[0]
  if (wrong) throw new Error(`${wrong.path.join(".")}: ${wrong.message}`)
  return complete
}

/** The habits of the temper and those that are named, and what follows from them for others. */
function temperOf({ wire = "tidy", habits: named = [], texts = "any" }: SimulatorOptions) {
  const names: readonly string[] = named
  const wrong = names.find((name) => !isHabit(name))
  if (wrong !== undefined) throw new Error(`habits: ${wrong} is no habit`)
  if (!TEMPERS.some((temper) => temper === wire)) throw new Error("wire: no such temper")
  const habits = [...new Set([...habitsOf(wire), ...named])]
  return { wire, habits, texts: habits.includes("plain_texts") ? ("plain" as const) : texts }
}
