/** A shop that tells its people: a ledger, Medusa's notification module, and who is told what. */
import { systemClock, type Clock } from "../../src/core/ports"
import { listAccounts } from "../../src/ledger/accounts/find-accounts"
import type { NotificationPorts } from "../../src/notifications/deps"
import { notify } from "../../src/notifications/run"
import type { NotificationSettings, Recipient } from "../../src/notifications/rules/settings"
import { saveSettings, findSettings } from "../../src/notifications/sql/settings"
import type { LedgerDatabase } from "./ledger-database"
import { medusaNotifier, type MedusaNotifier, type Provider } from "./medusa-notifier"
import { watching, type Moment } from "./moments"
import { callsAround, databaseAround } from "./ports-around"

export const CUSTOMER_PHONE = "+231770000042"

export type NotifyScene = {
  readonly deps: NotificationPorts
  readonly notifier: MedusaNotifier
  readonly logged: string[]
  tell(settings: Partial<NotificationSettings>): Promise<void>
  run(): Promise<void>
  /** The run ends with its process, right after so many of its exits. @returns whether it died */
  dieAfter(exits: number): Promise<boolean>
  /** All claims and pauses are over. */
  later(): Promise<void>
  /** So old that what was not told is given up. */
  aDayLater(): Promise<void>
  rows(): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export const one = (given: Partial<Recipient>): Recipient => ({
  id: "ada",
  name: "Ada",
  channel: "email",
  address: "ada@example.com",
  locale: "en",
  kinds: ["money_received"],
  schedule: { mode: "at_once" },
  since: null,
  ...given,
})

export function notifyScene(
  ledger: LedgerDatabase,
  providers: Readonly<Record<string, Provider>>,
  clock: Clock = systemClock,
): NotifyScene {
  let die: ((line: string) => unknown) | undefined
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const notifier = medusaNotifier(providers, (line) => die?.(line))
  const deps: NotificationPorts = {
    database: ledger.database,
    accounts: () => listAccounts(ledger.database),
    clock,
    logger: { debug: log, info: log, warn: log, error: log },
    medusa: {
      contact: ({ orderId }) =>
        Promise.resolve({
          customerId: null,
          name: "Ada",
          email: "shopper@example.com",
          orderNumber: orderId === null ? null : "23",
        }),
      basketOfOrder: () =>
        Promise.resolve({
          title: "Palm Wine & Sons #23",
          positions: [],
          total: "19.99",
          email: null,
          phone: CUSTOMER_PHONE,
          name: null,
          country: null,
          missing: [],
          soldOut: [],
          order: null,
        }),
    },
    notifier,
    receiptUrl: (orderId) =>
      Promise.resolve(orderId === null ? null : `https://shop.example/receipt/of-${orderId}`),
  }
  return {
    deps,
    notifier,
    logged,
    async tell({ recipients = [], customers = { locale: "en", rules: [] } }) {
      const version = (await findSettings(ledger.database))?.version ?? 0
      const note = { by: "user_ada", changes: [] }
      await saveSettings(ledger.database, version, { recipients, customers }, note)
    },
    run: () => notify(deps),
    async dieAfter(exits) {
      let left = exits
      let report: () => void = () => {}
      const death = new Promise<true>((resolve) => (report = () => resolve(true)))
      const atExit = () => {
        if (left-- > 0) return undefined
        report()
        return new Promise<never>(() => {})
      }
      die = atExit
      const { around } = watching({
        at: (moment: Moment) => (moment.startsWith("after") ? atExit() : undefined),
      })
      const dying: NotificationPorts = {
        ...deps,
        database: databaseAround(deps.database, around),
        notifier: callsAround(notifier, "notifier.", around),
      }
      const died = await Promise.race([death, notify(dying).then(() => false)])
      die = undefined
      return died
    },
    async later() {
      await ledger.sql(
        `update mp_notification set due_at = now() - interval '1 second'
          where state in ('waiting', 'collected')`,
      )
    },
    async aDayLater() {
      await ledger.sql(
        `update mp_notification set created_at = now() - interval '25 hours',
           due_at = now() - interval '1 second' where state = 'waiting'`,
      )
    },
    rows: () => ledger.sql("select * from mp_notification order by key"),
  }
}
