/** Payouts and transfers that one admin asks for and another approves, and which were meant. */
import type { BookView } from "../../../packages/simulator/src/book/view"
import { idFrom, type AdminId, type CounterpartyId, type WalletId } from "../../../src/core/ids"
import { closeRequest } from "../../../src/ledger/close-request"
import { findRequest, type TwoAdminRequest } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { requestPayout } from "../../../src/payouts/request-payout"
import { requestTransfer } from "../../../src/payouts/request-transfer"
import { passcodeOf, payoutOf } from "../../support/payouts-harness"
import { PASSCODE, PHONE } from "../secrets"
import { centsOf } from "../truth"
import type { Deeds } from "./commands"
import { PAYOUTS, type MoneyOut, type Payout } from "./kinds"
import type { Flow, World } from "./world"

/** By which a payout or transfer is known in the gateway's book. */
const AMOUNTS: Readonly<Record<Payout, number>> = { rent: 2.5, wages: 3.25 }

const ENDS_AFTER_MS = 8_000
const CURRENCY = "USD"

const TYPES = { payout: "PAYOUT", transfer: "TRANSFER" } as const
const KINDS = Object.values(TYPES)

const NEWEST = `
  select id from mp_approval where kind in ('PAYOUT', 'TRANSFER')
   order by asked_at desc, id limit 1`

/** What was pressed stays meant, whatever the database forgets. */
export class MeantPayouts {
  private readonly meant = new Set<string>()

  /** One admin alone means it only where none has to agree: the account's rules know when. */
  readonly alone = (name: string): void => void this.meant.add(name)

  approved({ askedBy, keys, kind }: TwoAdminRequest, by: string): void {
    if (askedBy !== by) for (const key of keys) this.meant.add(`${kind} ${key}`)
  }

  /** One key moves money once at most, in one of its ways, and nothing else moves any. */
  wrongIn(book: Pick<BookView, "payouts" | "transfers">): string[] {
    const all = [...book.payouts(), ...book.transfers()]
    const sent = all.filter(({ status }) => status !== "FAILED")
    return PAYOUTS.flatMap((key) => {
      const own = sent.filter(({ amount }) => centsOf(amount) === centsOf(AMOUNTS[key]))
      const names = own.map(({ operationType }) => `${operationType} ${key}`)
      return [
        ...(own.length > 1
          ? [`I9: money went ${own.length} times by one key: ${names.join()}`]
          : []),
        ...names.filter((one) => !this.meant.has(one)).map((one) => `I9: ${one} was not meant`),
      ]
    })
  }
}

export function payoutsIn(world: World): Deeds<"payout" | "payout ends"> {
  const { processes, ledger, payouts, simulator, rules } = world
  const press = (flow: Flow, then = () => {}) =>
    processes.launch(processes.serve("shop"), flow, then)
  const counterparty = counterpartyIn(world)
  const newest = async (): Promise<TwoAdminRequest | undefined> => {
    const [row] = await ledger.sql(NEWEST)
    return row && findRequest(ledger.database, String(row["id"]))
  }
  const ask = async (what: MoneyOut, key: Payout, by: string) => {
    const asked = { idempotencyKey: key, amount: AMOUNTS[key], currency: CURRENCY, askedBy: by }
    const request = payoutOf({ ...asked, name: key, phone: PHONE, passcode: passcodeOf(PASSCODE) })
    const name = `${TYPES[what]} ${key}`
    if (what === "payout") {
      return press((deps) => requestPayout(deps, request), rules.moneyOutAsked(name))
    }
    const toCounterpartyId = await counterparty()
    const fromWalletId = walletIn(world)
    if (toCounterpartyId === undefined || fromWalletId === undefined) return
    const transfer = { ...asked, note: request.note, fromWalletId, toCounterpartyId }
    press((deps) => requestTransfer(deps, transfer), rules.moneyOutAsked(name))
  }
  return {
    async payout({ press: pressed, what, key, by }) {
      if (pressed === "ask") return ask(what, key, by)
      const request = await newest()
      if (!request) return
      const adminId = idFrom<AdminId>(by)
      const given = { id: request.id, adminId }
      if (pressed === "refuse") {
        const closed = { ...given, kinds: KINDS, answer: null }
        return press(({ database, people }) => closeRequest(database, people, closed))
      }
      payouts.approved(request, by)
      press((deps) => approvePayout(deps, { ...given, note: undefined }))
    },
    "payout ends"({ what, outcome }) {
      const operationType = TYPES[what]
      simulator.plan({ operationType, outcome, afterMs: ENDS_AFTER_MS, times: 1 })
    },
  }
}

/** The merchant's branch, made in the merchant's portal before the first transfer to it. */
function counterpartyIn({ portal }: World): () => Promise<CounterpartyId | undefined> {
  let known: CounterpartyId | undefined
  return async () => {
    if (known !== undefined) return known
    const party = await portal().parties.create({ fullname: "Branch", phone: PHONE.slice(1) })
    if (party.kind !== "done") return undefined
    const { id: partyId } = party.value
    const made = await portal().counterparties.create({ relationshipType: "PARTNER", partyId })
    if (made.kind === "done") known = made.value.id
    return known
  }
}

function walletIn({ simulator }: World): WalletId | undefined {
  const own = simulator.book
    .wallets()
    .find(({ ownerId, currency }) => ownerId !== null && currency === CURRENCY)
  return own && idFrom<WalletId>(own.id)
}
