/** What two admins agree on, as `histories/two-admins.ts` plays it: money out, and refunds. */
import type { FlowDeps } from "../../src/engine/deps"
import type { Operation } from "../../src/core/operation"
import { approvePayout } from "../../src/payouts/approve-payout"
import { requestPayout } from "../../src/payouts/request-payout"
import { requestTransfer, type TransferRequest } from "../../src/payouts/request-transfer"
import { checkNow } from "../../src/worker/check-due-operations"
import type { Agreed, Fault, Moment } from "../histories/two-admins"
import { MINUTE } from "./an-operation"
import type { FlowsHarness } from "./flows-harness"
import { payoutOf, type usePayoutsHarness } from "./payouts-harness"
import { backUp } from "./play-back"
import type { useRefundHarness } from "./refund-harness"

const [FIRST_AMOUNT, ...OTHER_AMOUNTS] = ["7", "6.5", "6.25"] as const

export const PAYOUT_FAULTS: readonly Fault[] = [
  ["executePayout", "422:after"],
  ["executePayout", "422"],
  ["executePayout", "500:after"],
  ["executePayout", "reset:after"],
  ["executePayout", "reset"],
]
export const TRANSFER_FAULTS: readonly Fault[] = [
  ["executeTransfer", "422:after"],
  ["executeTransfer", "reset:after"],
  ["executeTransfer", "reset"],
]
export const REFUND_FAULTS: readonly Fault[] = [
  ["createRefundSession", "422"],
  ["executeRefund", "422:after"],
  ["executeRefund", "reset:after"],
  ["executeRefund", "reset"],
]

/** What the job finds out until nothing is open any more. */
async function settled(
  ids: () => Promise<readonly string[]>,
  checkAfter: (id: string, ms: number) => Promise<unknown>,
): Promise<void> {
  for (const ms of [MINUTE, 2 * MINUTE, 90 * MINUTE, 10 * MINUTE]) {
    for (const id of await ids()) await checkAfter(id, ms)
  }
}

const common = (harness: FlowsHarness, opening: string) => ({
  sql: harness.ledger.sql,
  script(fault: Moment["fault"]) {
    if (fault === "opening") harness.simulator.faults.script(opening, ["500"])
    else if (fault) harness.simulator.faults.script(fault[0], [fault[1]])
    else harness.simulator.faults.clear()
  },
})

let runs = 0

/** A payout, or a transfer, of its own recipient, under three keys. */
export async function moneyOutOf(
  { harness, transferOf, sentIn }: ReturnType<typeof usePayoutsHarness>,
  type: "PAYOUT" | "TRANSFER",
): Promise<Agreed<FlowDeps>> {
  const run = ++runs
  const name = `Recipient ${run}`
  const transfer: TransferRequest | null = type === "TRANSFER" ? await transferOf() : null
  const keyOf = (key: number) => `run-${run}-key-${key}`
  const before = sentIn()
  const { sql } = harness.ledger
  const ids = async (which: string) => {
    const rows = await sql(
      `select id from mp_operation
        where type = $1 and (recipient_name = $2 or counterparty_id = $3) ${which}`,
      [type, name, transfer?.toCounterpartyId ?? null],
    )
    return rows.map(({ id }) => String(id))
  }
  return {
    ...common(harness, transfer ? "createTransferSession" : "createPayoutSession"),
    kinds: [type],
    deps: () => harness.deps,
    keyOf,
    async ask(deps, askedBy, key) {
      const asked = { idempotencyKey: keyOf(key), askedBy }
      const { operation } = await (transfer
        ? requestTransfer(deps, { ...transfer, ...asked })
        : requestPayout(deps, payoutOf({ ...asked, name, amount: 25 })))
      return operation.id
    },
    approve: approvePayout,
    settle: () =>
      settled(
        () => ids(""),
        async (id, ms) => {
          harness.later(5_000)
          await harness.pass(id, ms)
          await checkNow(harness.deps, id)
        },
      ),
    moved: async () => sentIn() - before,
    sent: () => ids("and reference is not null"),
    backUp: () => backUp(harness, "mp_approval"),
  }
}

/** Refunds of one payment, which has enough for all three. */
export function refundsOf(
  tools: ReturnType<typeof useRefundHarness>,
  payment: Operation,
): Agreed<FlowDeps> {
  const { harness, quick, click, cartOf, refundsOf: all, sentOf, throughMedusa, approve } = tools
  const own = async () => (await all(payment)).filter(({ askedBy }) => askedBy !== "unknown")
  return {
    ...common(harness, "createRefundSession"),
    kinds: ["REFUND"],
    deps: quick,
    ask: (deps, by, key) => click(payment, OTHER_AMOUNTS[key - 1] ?? FIRST_AMOUNT, { by, deps }),
    approve: (deps, { id, adminId }) => approve(payment, adminId, id, throughMedusa(deps)),
    settle: () =>
      settled(
        async () => (await all(payment)).map(({ id }) => id),
        (id, ms) => tools.checkAfter({ id }, ms),
      ),
    moved: async () => sentOf(payment).length,
    sent: async () =>
      (await own()).filter(({ reference }) => reference !== null).map(({ id }) => id),
    async backUp() {
      const playBack = await backUp(harness, "mp_approval")
      const { refunds, entries } = structuredClone({
        refunds: cartOf(payment).refunds,
        entries: cartOf(payment).entries,
      })
      return async () => {
        await playBack()
        Object.assign(cartOf(payment), structuredClone({ refunds, entries }))
      }
    },
  }
}
