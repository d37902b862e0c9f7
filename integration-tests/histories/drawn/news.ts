/** Who is told what of a history, and a provider that keeps each message and fails now and then. */
import type { Random } from "../../../src/core/ports"
import { receiptUrlOf } from "../../../src/checkout/receipt-url"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Database } from "../../../src/ledger/database"
import type { Message, NotificationPorts } from "../../../src/notifications/deps"
import { MERCHANT_KINDS } from "../../../src/notifications/rules/kinds"
import { DEFAULT_SETTINGS } from "../../../src/notifications/rules/settings"
import { notify } from "../../../src/notifications/run"
import { findSettings, saveSettings } from "../../../src/notifications/sql/settings"
import { medusaNotifier } from "../../support/medusa-notifier"
import { one } from "../../support/notify-scene"
import { callsAround, type Around } from "../../support/ports-around"
import { CUSTOMER, MERCHANT } from "../judges/messages"
import type { DrivenClock } from "./clock"
import type { DrivenLedger } from "./ledger"

/** Of so many messages a provider fails to send one at first. */
const FAILS_ONE_IN = 8
const RUNS_MAX = 100
const NEXT = "select min(due_at) as at from mp_notification where state in ('waiting', 'collected')"

/** A shop that tells its people everything at once, by e-mail and in the admin. */
export async function tellEverything(database: Database): Promise<void> {
  if (await findSettings(database)) return
  const merchant = one({ address: MERCHANT, kinds: MERCHANT_KINDS })
  const { recipients, customers } = DEFAULT_SETTINGS
  const rule = {
    channel: "email",
    kinds: ["customer_paid", "customer_refunded"],
    since: null,
  } as const
  const wanted = {
    recipients: [...recipients, merchant],
    customers: { ...customers, rules: [rule] },
  }
  await saveSettings(database, 0, wanted, { by: "user_ada", changes: [] })
}

export class News {
  private readonly failed = new Set<string>()
  private readonly notifier

  constructor(
    private readonly random: Random,
    private readonly clock: DrivenClock,
  ) {
    const provide = async ({ key }: Message) => {
      const isFirst = !this.failed.has(key)
      this.failed.add(key)
      if (isFirst && this.random.fraction() * FAILS_ONE_IN < 1) throw new Error("the line is busy")
    }
    this.notifier = medusaNotifier({ email: provide, feed: () => Promise.resolve() })
  }

  /** What a provider has sent, in its order. */
  get sent(): readonly Message[] {
    return this.notifier.sent
  }

  /** One run of the job. */
  run(deps: FlowDeps, around: Around): Promise<void> {
    return notify(this.portsOf(deps, callsAround(this.notifier, "notifier.", around)))
  }

  /** Runs until nothing waits to be told. Nobody is at work meanwhile. @returns whether it ended */
  async tellAll(deps: FlowDeps, { sql }: Pick<DrivenLedger, "sql">): Promise<boolean> {
    const clock = { ...deps.clock, sleep: () => new Promise<never>(() => {}) }
    for (let runs = 0; runs < RUNS_MAX; runs++) {
      await notify(this.portsOf({ ...deps, clock }, this.notifier))
      const [row] = await sql(NEXT)
      if (!(row?.["at"] instanceof Date)) return true
      this.clock.pass(row["at"].getTime() - this.clock.nowMs())
    }
    return false
  }

  private portsOf(deps: FlowDeps, notifier: NotificationPorts["notifier"]): NotificationPorts {
    const { database, clock, logger, accounts, medusa } = deps
    return {
      database,
      clock,
      logger,
      accounts,
      notifier,
      medusa: {
        basketOfOrder: (orderId) => medusa.basketOfOrder(orderId),
        contact: async ({ orderId }) => ({
          customerId: null,
          name: null,
          email: CUSTOMER,
          orderNumber: orderId === null ? null : "23",
        }),
      },
      receiptUrl: (orderId) => receiptUrlOf(deps, orderId),
    }
  }
}
