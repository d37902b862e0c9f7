/**
 * Plays one sequence of commands, asks the oracle after each of them and, when all is quiet, a last
 * time: then what was not noticed is lost.
 */
import type { Scheduler } from "fast-check"
import type { Temper } from "../../packages/simulator/src"
import { DAY } from "../support/an-operation"
import { readLedger, type Evidence, type MedusaEvidence } from "../support/evidence"
import type { Cart } from "../support/medusa-in-memory"
import { refundEvidenceOf } from "../support/refund-records-in-memory"
import { violations } from "../support/violations"
import type { DrivenClock } from "./clock"
import type { Command, Setting } from "./commands"
import type { DrivenLedger } from "./ledger"
import { COLLECTION } from "./medusa"
import { CLIENT_SECRET, PHONE_FORMS, Harness } from "./harness"

const LONG_AFTER_MS = 7 * DAY

/** Without a payment there is nothing to break. */
const FIRST: Command = { do: "start", tab: 0, turns: 0 }

export type Sequence = { readonly setting: Setting; readonly commands: readonly Command[] }

export type Verdict = {
  /** Processes that died. */
  readonly kills: number
  /** Calls to the gateway that a fault has struck. */
  readonly faults: number
  readonly charges: number
  /** Refunds that went through. */
  readonly returns: number
  readonly violations: readonly string[]
  /** How it ended, for a person. */
  readonly ending: string
}

export async function play(
  fixture: { readonly ledger: DrivenLedger; readonly clock: DrivenClock; readonly wire: Temper },
  { setting, commands }: Sequence,
  scheduler: Scheduler,
): Promise<Verdict> {
  const harness = await Harness.open(fixture, setting, scheduler)
  try {
    const found = await brokenBy(harness, commands)
    const { operations } = await readLedger((sql) => fixture.ledger.sql(sql))
    const charges = harness.simulator.book.executions().filter((one) => one.charges > 0).length
    const returns = harness.simulator.book
      .refunds()
      .filter(({ status }) => status === "COMPLETED").length
    const states = operations.map(
      ({ state, isDuplicate, isRecorded }) =>
        `${state}${isRecorded ? " and recorded" : ""}${isDuplicate ? " (duplicate)" : ""}`,
    )
    return {
      kills: harness.kills,
      faults: harness.simulator.faults.history().length,
      charges,
      returns,
      violations: found,
      ending:
        `${states.join(", ") || "nothing begun"}; charged ${charges} times` +
        (returns > 0 ? `, given back ${returns} times` : ""),
    }
  } finally {
    await harness.close()
  }
}

async function brokenBy(harness: Harness, commands: readonly Command[]): Promise<string[]> {
  try {
    await harness.carryOut(FIRST)
    for (const [index, command] of commands.entries()) {
      await harness.carryOut(command)
      const found = violations(await evidenceOf(harness))
      if (found.length > 0) return found.map((one) => `after command ${index + 1}: ${one}`)
    }
    await harness.finish()
    await harness.shopperEnds()
    await harness.quiet()
    await harness.giveBack()
    harness.pass(LONG_AFTER_MS)
    return [
      ...violations(await evidenceOf(harness), { isQuiet: true }),
      ...chargedOnce(harness, commands),
      ...harness.simulator.contractViolations.map((one) => `contract: ${JSON.stringify(one)}`),
      ...harness.surprises,
    ]
  } catch (error) {
    return [`the harness failed: ${error instanceof Error ? (error.stack ?? "") : String(error)}`]
  }
}

/**
 * Money that came twice and was noticed is no breach by itself. But only a gateway that first says
 * FAILED and then COMPLETED can make it come twice.
 */
function chargedOnce({ simulator }: Harness, commands: readonly Command[]): string[] {
  const contradicts = (command: Command) =>
    command.do === "wallet" && command.outcome === "decline_then_approve"
  const charges = simulator.book.executions().filter((one) => one.charges > 0).length
  return charges > 1 && !commands.some(contradicts)
    ? [`I1: charged ${charges} times, though the gateway has not contradicted itself`]
    : []
}

async function evidenceOf(harness: Harness): Promise<Evidence> {
  return {
    book: harness.simulator.book,
    ledger: await readLedger((sql) => harness.ledger.sql(sql)),
    medusa: medusaOf(harness.cart),
    output: { texts: harness.logged, secrets: [CLIENT_SECRET], phones: PHONE_FORMS },
  }
}

function medusaOf(cart: Cart): MedusaEvidence {
  return {
    payments: cart.payments.map((payment, index) => ({
      id: `pay_${index}`,
      sessionId: payment.sessionId,
      collectionId: COLLECTION,
      providerId: "pp_mobile-money_merchant",
      amount: payment.amount ?? "0",
      currency: "USD",
      isCaptured: payment.isCaptured,
      isCanceled: payment.isCanceled,
      capturedAmount: payment.amount ?? "0",
      inOrderAmount: payment.isInOrder ? (payment.amount ?? "0") : "0",
      orderId: cart.order?.id ?? null,
      isOrderCanceled: cart.order?.isCanceled ?? false,
      refunds: refundEvidenceOf(cart, `pay_${index}`),
    })),
    sessionData: cart.shown,
  }
}
