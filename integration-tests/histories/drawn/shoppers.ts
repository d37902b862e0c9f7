/** What shoppers do in two tabs, on the phone and on the payment page. */
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import { afterChange, passChange, type Guarded } from "../../../src/checkout/guard-cart"
import { readStatus } from "../../../src/checkout/read-status"
import { startPayment } from "../../../src/checkout/start-payment"
import { CARD, PUSH } from "../../support/flows-harness"
import { answerBanks, METHODS, type Method } from "../commands"
import { PHONE } from "../secrets"
import type { Command, Deeds } from "./commands"
import { CART, COLLECTION } from "./medusa"
import { payOnHandedOut } from "./pay-on-handed-out"
import type { Flow, World } from "./world"

const APPROVED_AFTER_MS = 20_000

type Doings = Deeds<
  | "load"
  | "choose"
  | "start"
  | "cancel"
  | "status"
  | "edit"
  | "place"
  | "answer"
  | "bank"
  | "wallet"
  | "pay"
>

export function shoppersIn(world: World): Doings {
  const { medusa, processes, simulator } = world
  const { cart } = medusa
  /** The payment session that each tab knows. */
  const tabs: (string | undefined)[] = [undefined, undefined]
  /** What is pressed with a session; a card's form comes with its session. */
  const methods = new Map<string | undefined, Method>([[cart.sessions[0]?.id, world.setting.way]])
  let isContradicted = false

  /** A request of a shopper's, in a process of the shop. */
  const asks = (flow: Flow) => processes.launch(processes.serve("shop"), flow)
  const load = (tab: number) => (tabs[tab] = cart.sessions[0]?.id)

  return {
    load: ({ tab }) => load(tab),
    choose({ tab, way }) {
      change(world, { paymentCollectionId: COLLECTION }, () => {
        if (!medusa.hasOpenSessions()) return
        medusa.postSession(METHODS[way].providerId)
        methods.set(load(tab), way)
      })
    },
    start({ tab }) {
      const sessionId = tabs[tab] ?? load(tab)
      if (sessionId === undefined) return
      const { providerId } = cart.sessions.find(({ id }) => id === sessionId) ?? {}
      const way = methods.get(sessionId) ?? (providerId === CARD ? "card" : "phone")
      const { payerCurrency } = world.setting
      const by = way === "phone" && payerCurrency !== null ? { payerCurrency } : {}
      asks((deps) => startPayment(deps, { sessionId, phone: PHONE, ...by, ...METHODS[way].with }))
    },
    cancel({ tab }) {
      const { [tab]: sessionId } = tabs
      if (sessionId !== undefined) asks((deps) => cancelPayment(deps, { sessionId }))
    },
    status({ tab }) {
      const { [tab]: sessionId } = tabs
      if (sessionId !== undefined) asks((deps) => readStatus(deps, { sessionId }))
    },
    edit({ total, through }) {
      const edit = () => {
        if (medusa.isPlaced()) return
        medusa.reprice(total)
        medusa.postSession(cart.sessions[0]?.providerId ?? PUSH)
      }
      if (through === "store") change(world, { cartId: CART }, edit)
      else edit()
    },
    // Where it is paid first, Medusa says that it is not.
    place: () => asks((deps) => deps.medusa.completeCart(CART).catch(() => undefined)),
    answer({ prompt, approves }) {
      const waiting = simulator.handset.pending()[prompt]
      if (!waiting) return
      const { approve, decline } = simulator.handset
      void (approves ? approve : decline)({ reference: waiting.reference })
    },
    bank: ({ how }) => answerBanks(simulator, how),
    wallet({ outcome }) {
      isContradicted ||= outcome === "decline_then_approve"
      simulator.plan({ outcome, afterMs: APPROVED_AFTER_MS, times: 1 })
    },
    async pay({ page, with: means }) {
      // FAILED there, paid there again, then COMPLETED: the page takes both, and tells nobody of
      // ours.
      if (means === "phone" && isContradicted) return
      const said = await payOnHandedOut(world.ledger, simulator, page, means)
      if (said !== undefined) world.logged.push(`the page: ${said}`)
    },
  }
}

/** The last that the shopper does. */
export async function shopperEnds(
  { setting: { atTheEnd }, simulator }: World,
  carryOut: (command: Command) => Promise<void>,
): Promise<void> {
  if (atTheEnd === "left") return
  if (atTheEnd === "paid") {
    // Whoever wants to pay presses once more; what is paid must not be asked for again.
    await carryOut({ do: "load", tab: 0, turns: 0 })
    await carryOut({ do: "start", tab: 0, turns: Number.POSITIVE_INFINITY })
  }
  const { pending, approve, decline } = simulator.handset
  for (const { reference } of pending()) {
    void (atTheEnd === "paid" ? approve : decline)({ reference })
  }
  answerBanks(simulator, atTheEnd === "paid" ? "pass" : "refuse")
  if (atTheEnd === "paid") await carryOut({ do: "pay", page: 0, with: "card", turns: 0 })
}

/** A store route that changes what is being paid, with the guard before and behind it. */
function change({ medusa, processes }: World, what: Guarded, make: () => void): void {
  const process = processes.begin("shop")
  processes.launch(process, async (deps) => {
    const { live, ended } = await passChange(deps, what, undefined)
    await process.turn("Medusa changes the cart")
    make()
    if (live) await afterChange(deps, live, medusa.cart.sessions)
    await ended()
  })
}
