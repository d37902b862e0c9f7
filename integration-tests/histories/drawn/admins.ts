/** What admins do in Medusa and on the payments' pages. */
import { idFrom, type AdminId, type OperationId, type PaymentIntentId } from "../../../src/core/ids"
import type { FlowDeps } from "../../../src/engine/deps"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import { approveRefund } from "../../../src/review/approve-refund"
import { retryRefund } from "../../../src/review/retry-refund"
import { resolveOperation } from "../../../src/review/resolve"
import type { Offer } from "../onlooker"
import { clickRefund } from "../shop"
import type { Deeds } from "./commands"
import type { Told } from "./turn-taking"
import type { World } from "./world"

const REFUNDED_AFTER_MS = 8_000
const ADA = idFrom<AdminId>("user_ada")
/** Who else presses, in the order in which they do. */
const OTHERS = [idFrom<AdminId>("user_bob"), idFrom<AdminId>("user_eve")] as const
const WAITING = `
  select id from mp_approval where kind = 'REFUND' and closed_at is null and operation_id is null
   order by asked_at desc, id limit 1`

/** Refunds that did not go through, and payments of cancelled orders, as the list has them. */
const FAILED = `
  select id from mp_operation
   where type = 'REFUND' and state in ('failed', 'expired') or order_canceled_at is not null
   order by created_at, id`

/** Payments of which the gateway has not named the number that it gives back by. */
const UNNAMED = `
  select id, source_id from mp_operation
   where type = 'COLLECTION' and payment_intent_id is null and source_id is not null
   order by created_at, id`

type Doings = Deeds<"refund" | "type intents" | "approve" | "retry" | "decide" | "refund ends">

export function adminsIn(world: World): Doings {
  const { simulator, processes, medusa, onlooker } = world
  return {
    refund({ part, admins }) {
      for (const adminId of [ADA, ...OTHERS].slice(0, admins)) refund(world, part, adminId)
    },
    "type intents": () => typeIntents(world),
    async approve({ admins }) {
      const [request] = await world.ledger.sql(WAITING)
      if (!request) return
      for (const adminId of OTHERS.slice(0, admins)) approve(world, String(request["id"]), adminId)
    },
    async retry({ refund: which }) {
      const failed = await world.ledger.sql(FAILED)
      const one = failed[which % Math.max(1, failed.length)]
      const shop = processes.serve("shop")
      if (!one) return
      processes.launch(shop, (deps) =>
        retryRefund(medusa.refundingIn(shop, deps), idFrom<OperationId>(String(one["id"])), ADA),
      )
    },
    async decide() {
      const [offer] = await onlooker.decisions()
      if (offer) processes.launch(processes.serve("shop"), (deps) => resolved(deps, offer))
    },
    "refund ends"({ outcome }) {
      const afterMs = REFUNDED_AFTER_MS
      simulator.plan({ operationType: "REFUND", outcome, afterMs, times: 1 })
    },
  }
}

/** Medusa makes its row and asks; what follows from the answer it writes, unless it died with us. */
function refund({ medusa, processes, onlooker }: World, part: string, adminId: AdminId): void {
  const { cart } = medusa
  const [payment] = cart.payments
  if (!payment || !cart.order) return
  const shop = processes.serve("shop")
  const amount = part === "all" ? (payment.amount ?? "0") : part
  const ask = (rowId: string) =>
    new Promise<Told>((answer) =>
      processes.launch(
        shop,
        (deps) => medusa.providerIn(shop, deps)(rowId),
        (told) => {
          if (told.kind === "done") onlooker.told.refunds.add(rowId)
          answer(told)
        },
      ),
    )
  void clickRefund(cart, amount, ask, adminId)
}

async function typeIntents({ ledger, simulator, processes }: World): Promise<void> {
  for (const { id, source_id: sourceId } of await ledger.sql(UNNAMED)) {
    const paid = simulator.book.executionsOf(Number(sourceId)).find(({ charges }) => charges > 0)
    if (!paid) continue
    const operationId = idFrom<OperationId>(String(id))
    const paymentIntentId = idFrom<PaymentIntentId>(paid.paymentIntentId)
    processes.launch(processes.serve("shop"), (deps) =>
      enterPaymentIntent(deps, { operationId, paymentIntentId, adminId: ADA }),
    )
  }
}

function approve({ medusa, processes }: World, id: string, adminId: AdminId): void {
  const shop = processes.serve("shop")
  processes.launch(shop, (deps) =>
    approveRefund(medusa.refundingIn(shop, deps), { id, adminId, note: undefined }),
  )
}

const resolved = (deps: FlowDeps, { operationId, action }: Offer) =>
  resolveOperation(deps, { operationId, action, note: "seen", adminId: ADA })

/**
 * An admin answers the question of a payment's page by one of the answers that it offers. What is
 * offered is accepted, unless the gateway's line broke meanwhile. In front of an odd gateway stands
 * a proxy that answers for it now and then.
 */
export function answerOffer(world: World, offer: Offer): void {
  const { processes, simulator, onlooker, surprises, rules, wire } = world
  const { action } = offer
  const struck = () => simulator.faults.history().length
  const before = struck()
  processes.launch(
    processes.begin("shop"),
    (deps) => resolved(deps, offer),
    (told) => {
      if (told.kind !== "refused" || struck() > before) return
      if (wire === "odd" && told.code === "gateway_unavailable") return
      // Asked for, and noted.
      const needsAnother = rules.policies.refund_second_admin_above !== null
      if (needsAnother && told.code === "refund_needs_second_admin") return
      if (onlooker.isRefusedRightly(offer, told.code)) return
      surprises.push(`shown: ${action} was offered, and refused: ${told.code}`)
    },
  )
}
