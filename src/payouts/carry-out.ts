/**
 * Carries out payouts and transfers: what gets as far as a reference is sent once, and never again.
 */
import type { Operation } from "../core/operation"
import { Refusal, refusedByGateway } from "../core/refusal"
import type { Failure, Gateway } from "../gateway"
import { reopenApproval, type Approval } from "../ledger/approvals"
import { carryOut, type NotOpened, type Opened } from "../engine/send"
import type { MoneyDeps } from "../engine/deps"
import { refusedMoneyOut } from "../engine/gateway-refusal"

export type Drafted = {
  readonly draft: Operation
  /** Of two admins, who still agree where nothing was sent. */
  readonly approval: Approval | undefined
}

/** The gateway made a session that can't be used. */
export const NOT_USABLE: NotOpened = {
  kind: "not_opened",
  refused: { refusal: refusedByGateway(""), reason: "declined", code: "session_unusable" },
}

/**
 * The caller holds the draft by lease; the lease is given back.
 *
 * @throws Refusal of `refusedMoneyOut`, with the `id` of what ended; nothing was sent then
 */
export async function carryMoneyOut(
  deps: MoneyDeps,
  gateway: Gateway,
  { draft, approval }: Drafted,
  open: () => Promise<Opened | NotOpened | Failure>,
): Promise<void> {
  try {
    await carryOut(deps, gateway, draft, open, refusedMoneyOut)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (approval) await reopenApproval(deps.database, approval.id)
    throw error.with({ id: draft.id })
  }
}
