/**
 * One card start at a time for a merchant client. A card's token goes to the gateway with a question
 * and nowhere else, so the gateway may bind the latest token to the next payment account, or to the
 * next execution. From the question until the execution is answered no other start may ask.
 *
 * The turn is a lease in the database: no transaction is open across a call. If its holder dies, its
 * payment is not executed again: another card may be the latest by then.
 */
import { LIMITS } from "../../core/limits"
import { Refusal, refusal } from "../../core/refusal"
import type { FlowDeps } from "../../engine/deps"
import type { Sent } from "../../engine/send"
import { findClient } from "../../ledger/accounts/merchant-client"
import { cardStartsAhead, joinCardQueue, leaveCardQueue } from "../../ledger/card-queue"
import { dropTask, keepTask, takeTask, type HeldTask } from "../../ledger/tasks"
import type { StartContext } from "../context"
import type { StartRefusal } from "../start-refusal"

export type CardTurn = {
  /** Renews the turn. False: another start may have asked since, so nothing more may be sent. */
  keep(): Promise<boolean>
  /** Ends the turn once the execution is answered, whoever still waits for it. */
  endAfter(sending: Promise<Sent | undefined>): void
  /** Ends the turn of a start that sends nothing. @param error why */
  end(error: unknown): Promise<void>
}

type Ports = Pick<FlowDeps, "database" | "clock" | "underWay" | "worker">

const NO_TURN: CardTurn = {
  keep: () => Promise.resolve(true),
  endAfter: () => {},
  end: () => Promise.resolve(),
}

/** Waits for the turn. @returns the turn; or the refusal of a start that would wait too long */
export async function takeCardTurn(
  ports: Ports,
  { account, credentialId }: StartContext,
): Promise<CardTurn | StartRefusal> {
  const { database, clock, underWay } = ports
  const { key, policies } = await findClient(database, { accountId: account.id, credentialId })
  if (policies.length > 0 && policies.every((one) => one.cards_at_once)) return NO_TURN
  const isOver = underWay.changePurchase()
  // A process that has said its end would lose the turn at once by its name.
  const worker = underWay.hasEnded() ? undefined : ports.worker
  const untilMs = clock.monotonicMs() + LIMITS.cardWaitsMs
  let held: HeldTask | undefined
  const place = await joinCardQueue(database, key, worker)
  try {
    for (;;) {
      const ahead = await cardStartsAhead(database, place)
      if (ahead === undefined || ahead >= LIMITS.cardsWaitingMax) break
      if (ahead === 0) held = await takeTask(database, `card:${key}`, LIMITS.cardTurnMs, { worker })
      if (held || clock.monotonicMs() >= untilMs) break
      await clock.sleep(LIMITS.lockRetryMs)
    }
  } finally {
    if (!held) isOver()
    await leaveCardQueue(database, place).catch(() => undefined)
  }
  return held ? turnOf(ports, held, isOver) : busy()
}

function turnOf({ database }: Ports, held: HeldTask, isOver: () => void): CardTurn {
  let isSending = false
  // A call without an answer may reach the gateway after this, so the others wait a little longer.
  const free = async (isAnswered: boolean) => {
    const freed = isAnswered
      ? dropTask(database, held)
      : keepTask(database, held, LIMITS.cardDoubtMs)
    // While the database is away, the turn ends with its lease.
    await Promise.resolve(freed).catch(() => undefined)
    isOver()
  }
  return {
    keep: () => keepTask(database, held, LIMITS.cardTurnMs),
    endAfter(sending) {
      isSending = true
      void sending.then(
        (sent) => free(isAnswered(sent)),
        () => free(false),
      )
    },
    async end(error) {
      if (isSending) return
      await free(error instanceof Refusal && error.code !== "gateway_unavailable")
    },
  }
}

function isAnswered(sent: Sent | undefined): boolean {
  const last = sent?.written?.operation.lastSending
  return last === "accepted" || last === "refused" || last === "not_sent"
}

function busy(): StartRefusal {
  const seconds = LIMITS.cardRetryMs / 1_000
  const refused = refusal("cards_busy", { seconds }, { retry_after_seconds: seconds })
  return { refusal: refused, isFinal: false }
}
