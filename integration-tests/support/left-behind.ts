/**
 * What the version before had done for payments when its last process ended: one in each state, written
 * by its own statements into its own tables, over the gateway's real answers.
 */
import { systemIds } from "../../src/core/ports"
import type { Outcome } from "../../src/gateway"
import type { Row } from "../../src/ledger/database"
import { currency, MINUTE, money } from "./an-operation"
import { HOSTED, PHONE, PUSH, type FlowsWorld } from "./flows-world"
import type { PreviousVersion } from "./previous-version"

const DIGITS = PHONE.slice(1)

/** The payment collection of each, by a name of its own. */
export async function leftBehind(
  world: FlowsWorld,
  previous: PreviousVersion,
): Promise<ReadonlyMap<string, string>> {
  const left = new Map<string, string>()
  await leaveEveryState()
  return left

  async function leaveEveryState(): Promise<void> {
    await begun("a draft without a source", "push")
    await withSource("a draft whose start died", "push")
    await sent("a push that the gateway works on", { state: "in_flight" })
    await sent("a push whose answer was lost", { state: "submitted" })
    await sent("a push that never left", { state: "submitted", isExecuted: false })
    await opened("an open page")
    const [, paidPage] = await opened("a page that was paid meanwhile")
    world.simulator.hosted.pay(Number(paidPage["source_id"]), { method: "card" })
    const [, toSettle] = await sent("money that Medusa does not know yet", { state: "in_flight" })
    world.simulator.handset.approve(String(toSettle["reference"]))
    await previous.write(toSettle, {
      event: "complete",
      state: "completed",
      sets: { collected_minor: "1999", source_status: "PAID", checks: 0, next_check_at: "now()" },
    })
    const [recordedId, settled] = await sent("money that Medusa holds", { state: "in_flight" })
    world.simulator.handset.approve(String(settled["reference"]))
    const completed = await previous.write(settled, {
      event: "complete",
      state: "completed",
      sets: { collected_minor: "1999", source_status: "PAID", next_check_at: "now()" },
    })
    const cart = world.of(recordedId)
    await world.deps.host.completeCart(`cart_${recordedId}`).catch(() => undefined)
    await previous.write(completed ?? settled, {
      event: "recorded",
      state: "completed",
      sets: { recorded_at: "now()", next_check_at: null, order_id: cart.order?.id ?? null },
    })
    world.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    const [, failing] = await sent("a push that failed", { state: "in_flight" })
    await previous.write(failing, {
      event: "fail",
      state: "failed",
      sets: {
        ...{ reason: "declined", failed_at: "now()", checks: 0 },
        next_check_at: "now() + interval '2 minutes'",
      },
    })
    const [, ended] = await opened("a page whose time was over")
    await world.gateway.orders.cancel(Number(ended["source_id"]))
    await previous.write(ended, {
      event: "expire",
      state: "expired",
      sets: {
        ...{ reason: "window_closed", source_status: "CANCELED", checks: 0 },
        next_check_at: "now() + interval '5 minutes'",
      },
    })
    const [, doubted] = await sent("a push that a person looks at", { state: "in_flight" })
    await previous.write(doubted, {
      event: "doubt",
      state: "review",
      sets: { reason: "no_answer", next_check_at: null },
    })
  }

  async function begun(name: string, flow: "push" | "hosted"): Promise<[string, Row]> {
    const providerId = flow === "push" ? PUSH : HOSTED
    const { collectionId, sessionId } = world.cart(providerId)
    left.set(name, collectionId)
    const id = systemIds.operationId()
    return [
      collectionId,
      there(await previous.draft({ id, flow, providerId, collectionId, sessionId })),
    ]
  }

  async function withSource(name: string, flow: "push" | "hosted"): Promise<[string, Row]> {
    const [collectionId, draft] = await begun(name, flow)
    const source = valueOf(
      await world.gateway.checkouts.create({
        mode: "HOSTED",
        sourceType: "ORDER",
        partyPhone: DIGITS,
        partyRelationship: "CUSTOMER",
        currency: currency("USD"),
        items: [{ name: "T-shirt", amount: money(1_999) }],
        referenceId: String(draft["id"]),
        expiresAt: new Date(Date.now() + 30 * MINUTE),
      }),
    )
    const written = await previous.write(draft, {
      event: "source_opened",
      state: "drafted",
      sets: {
        source_id: source.sourceId,
        source_number: source.sourceNumber,
        source_status: source.status,
        party_id: source.partyId,
        ...(flow === "hosted" ? { hosted_url: source.url } : {}),
      },
    })
    return [collectionId, there(written)]
  }

  async function opened(name: string): Promise<[string, Row]> {
    const [collectionId, draft] = await withSource(name, "hosted")
    const sets = { submitted_at: "now()", next_check_at: "now() + interval '2 seconds'" }
    return [
      collectionId,
      there(await previous.write(draft, { event: "submit", state: "submitted", sets })),
    ]
  }

  async function sent(
    name: string,
    { state, isExecuted = true }: { state: "submitted" | "in_flight"; isExecuted?: boolean },
  ): Promise<[string, Row]> {
    const [collectionId, draft] = await withSource(name, "push")
    const sourceId = Number(draft["source_id"])
    const operator = valueOf(await world.gateway.predictions.mmoProviderInfo({ phone: DIGITS }))
    const session = valueOf(
      await world.gateway.sessions.checkout({ sourceType: "ORDER", sourceId }),
    )
    const account = valueOf(
      await world.gateway.paymentAccounts.create({
        accountName: "Ada",
        provider: operator.provider,
        method: operator.paymentMethod,
        partyId: Number(draft["party_id"]),
        phone: DIGITS,
      }),
    )
    const reference = systemIds.reference()
    const submitted = there(
      await previous.write(draft, {
        event: "submit",
        state: "submitted",
        sets: {
          reference,
          gateway_session_id: session.id,
          payment_account_id: account.id,
          payment_method: operator.paymentMethod,
          payer_currency: "USD",
          submitted_at: "now()",
          last_sent_at: "now()",
          last_sending: "sending",
          sendings: 1,
          next_check_at: "now() + interval '2 seconds'",
        },
      }),
    )
    if (isExecuted) {
      valueOf(
        await world.gateway.executions.collection({
          sessionId: session.id,
          paymentAccountId: account.id,
          currency: currency("USD"),
          referenceId: reference,
        }),
      )
    }
    if (state === "submitted") return [collectionId, submitted]
    const sets = { last_sending: "accepted", next_check_at: "now() + interval '2 seconds'" }
    return [collectionId, there(await previous.write(submitted, { event: "see", state, sets }))]
  }
}

/** What the version before wrote; nothing is no answer. */
export function there(row: Row | undefined): Row {
  if (!row) throw new Error("the version before could not write")
  return row
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "done") throw outcome.error
  return outcome.value
}
