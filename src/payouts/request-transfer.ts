/**
 * Sends money from one of the merchant's platform wallets to the wallet of a counterparty, through
 * no outside gateway and without a passcode. The rules are those of a payout: one key, one row, one
 * reference, sent once.
 */
import type { CounterpartyId, WalletId } from "../core/ids"
import type { MoneyDeps } from "../engine/deps"
import { NOT_USABLE, sendOnce } from "./draft-payout"
import { subjectOf } from "./known-payout"
import { moneyAsked, type MoneyAsked } from "./money-asked"
import type { Payout } from "./sql/find-payouts"

export type TransferRequest = MoneyAsked & {
  /** The wallet's id: the merchant portal shows it, and so does a payout from the same wallet. */
  readonly fromWalletId: WalletId
  readonly toCounterpartyId: CounterpartyId
}

/** @throws Refusal as `requestPayout`, when nothing was sent */
export async function requestTransfer(deps: MoneyDeps, request: TransferRequest): Promise<Payout> {
  const amount = moneyAsked(request)
  const asked = {
    type: "TRANSFER",
    amount,
    recipientName: null,
    phoneHint: null,
    walletId: request.fromWalletId,
    counterpartyId: request.toCounterpartyId,
    to: null,
  } as const
  const whole = { ...asked, subject: subjectOf(deps, asked), toSeal: null }
  return sendOnce(deps, request, whole, (gateway, time) => ({
    async open(draft) {
      const session = await gateway.sessions.transfer(
        {
          fromWalletId: request.fromWalletId,
          toCounterpartyId: request.toCounterpartyId,
          amount: draft.amount,
          // By the database's clock, like every later comparison with it.
          expiresAt: draft.expiresAt,
        },
        time.callOptions(),
      )
      if (session.kind !== "done") return session
      const { id: sessionId, status } = session.value
      if (status !== "ACTIVE") return NOT_USABLE
      return {
        kind: "opened",
        sessionId,
        call: (_, referenceId) =>
          gateway.executions.transfer({ sessionId, referenceId }, { patience: "shopper" }),
      }
    },
  }))
}
