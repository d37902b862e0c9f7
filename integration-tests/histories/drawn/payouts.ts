/** Payouts that one admin asks for and another approves, and what of them was meant. */
import type { BookView } from "../../../packages/simulator/src/book/view"
import { idFrom, type AdminId } from "../../../src/core/ids"
import { closeRequest } from "../../../src/ledger/close-request"
import { findRequest, type TwoAdminRequest } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { requestPayout } from "../../../src/payouts/request-payout"
import { passcodeOf, payoutOf } from "../../support/payouts-harness"
import { PASSCODE, PHONE } from "../secrets"
import { centsOf } from "../truth"
import type { Deeds } from "./commands"
import { PAYOUTS, type Payout } from "./kinds"
import type { Setting } from "./settings"
import type { Flow, World } from "./world"

/** By which a payout is known in the gateway's book. */
const AMOUNTS: Readonly<Record<Payout, number>> = { rent: 2.5, wages: 3.25 }

const ENDS_AFTER_MS = 8_000

const NEWEST = `
  select id from mp_approval where kind = 'PAYOUT' order by asked_at desc, id limit 1`

/** What was pressed stays meant, whatever the database forgets. */
export class MeantPayouts {
  private readonly meant = new Set<string>()

  constructor(private readonly rules: Setting["rules"]) {}

  /** Alone an admin means a payout only where none has to agree. */
  asked(payout: Payout): void {
    if (this.rules.policies.money_out_second_admin_above === null) this.meant.add(payout)
  }

  approved({ askedBy, keys }: TwoAdminRequest, by: string): void {
    if (askedBy !== by) for (const key of keys) this.meant.add(key)
  }

  /** One intention moves money once at most, and nothing else moves any. */
  wrongIn(book: Pick<BookView, "payouts">): string[] {
    const sent = book.payouts().filter(({ status }) => status !== "FAILED")
    return PAYOUTS.flatMap((payout) => {
      const times = sent.filter(({ amount }) => centsOf(amount) === centsOf(AMOUNTS[payout])).length
      const most = this.meant.has(payout) ? 1 : 0
      return times > most ? [`I9: the payout ${payout} went ${times} times, and may ${most}`] : []
    })
  }
}

export function payoutsIn(world: World): Deeds<"payout" | "payout ends"> {
  const { processes, ledger, payouts, simulator } = world
  const press = (flow: Flow) => processes.launch(processes.serve("shop"), flow)
  const newest = async (): Promise<TwoAdminRequest | undefined> => {
    const [row] = await ledger.sql(NEWEST)
    return row && findRequest(ledger.database, String(row["id"]))
  }
  const ask = (key: Payout, by: string) => {
    payouts.asked(key)
    const asked = { idempotencyKey: key, amount: AMOUNTS[key], name: key, askedBy: by }
    const request = payoutOf({ ...asked, phone: PHONE, passcode: passcodeOf(PASSCODE) })
    press((deps) => requestPayout(deps, request))
  }
  return {
    async payout({ press: pressed, key, by }) {
      if (pressed === "ask") return ask(key, by)
      const request = await newest()
      if (!request) return
      const adminId = idFrom<AdminId>(by)
      const given = { id: request.id, adminId }
      if (pressed === "refuse") {
        const closed = { ...given, kinds: ["PAYOUT"], answer: null } as const
        return press(({ database, people }) => closeRequest(database, people, closed))
      }
      payouts.approved(request, by)
      press((deps) => approvePayout(deps, { ...given, note: undefined }))
    },
    "payout ends"({ outcome }) {
      simulator.plan({ operationType: "PAYOUT", outcome, afterMs: ENDS_AFTER_MS, times: 1 })
    },
  }
}
