/**
 * Money goes from one of the merchant's platform wallets to the wallet of a counterparty, with no
 * gateway outside and without a passcode. The same discipline as a payout: one key, one row, one
 * reference, sent once.
 */
import type { Operation } from "../core/operation"
import type { Failure, Gateway } from "../gateway"
import type { NotOpened, Opened } from "../engine/send"
import type { MoneyDeps } from "../engine/deps"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"
import { carryMoneyOut, NOT_USABLE } from "./carry-out"
import { draftOnce, knownUnder, moneyAsked, payingAccount, type MoneyAsked } from "./draft-payout"
import { readPayout } from "./payout-view"
import type { Payout } from "./sql/find-payouts"

export type TransferRequest = MoneyAsked & {
  /** The merchant portal shows it, and so does a payout from the same wallet. */
  readonly fromWalletId: number
  readonly toCounterpartyId: number
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
  } as const
  const known = await knownUnder(deps, request.idempotencyKey, asked)
  if (known) return known
  const paying = await payingAccount(deps, amount, request.askedBy)
  const time = shopperTime(deps.clock)
  const made = await draftOnce(deps, paying, request, asked, null)
  if ("known" in made) return made.known
  await carryMoneyOut(deps, paying.gateway, made, () =>
    open(deps, paying.gateway, made.draft, request, time),
  )
  return readPayout(deps, "TRANSFER", made.draft.id)
}

async function open(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
  { fromWalletId, toCounterpartyId }: TransferRequest,
  time: ShopperTime,
): Promise<Opened | NotOpened | Failure> {
  const session = await gateway.sessions.transfer(
    {
      fromWalletId,
      toCounterpartyId,
      amount: draft.amount,
      // The database's clock, as every later comparison with it.
      expiresAt: draft.expiresAt,
    },
    time.callOptions(),
  )
  if (session.kind !== "done") return session
  if (session.value.status !== "ACTIVE") return NOT_USABLE
  return {
    kind: "opened",
    sessionId: session.value.id,
    call: (_, referenceId) =>
      gateway.executions.transfer(
        { sessionId: session.value.id, referenceId },
        { patience: "shopper" },
      ),
  }
}
