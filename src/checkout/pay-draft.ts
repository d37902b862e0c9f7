/**
 * Opens at the gateway what paying a draft needs, commits `submitted`, and sends the execution or
 * hands out the page's address. Nothing before `submitted` can take money.
 */
import { LIMITS } from "../core/limits"
import { majorNumber, moneyFromMajor } from "../core/money"
import type { Flow, Operation } from "../core/operation"
import { refusal, type RefusalKey } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { assertUnchanged } from "./assert-unchanged"
import { takeOver, type TakenOver } from "./clear-ended"
import type { StartContext } from "./context"
import { endStart } from "./end-start"
import { uncountStart } from "./limit-start"
import { openSource } from "./source/open-source"
import { withLimit } from "./push/amount-refused"
import { takeCardTurn, type CardTurn } from "./push/card-turn"
import { confirmQuote } from "./push/confirm-quote"
import { findCard, findWallet, type Payer } from "./push/find-payer"
import { openPush } from "./push/open-push"
import type { Instructions } from "./offer/read-instructions"
import { statusOf } from "./rules/status"
import type { Status } from "./schemas/status"
import { sendForShopper } from "./send-for-shopper"
import { lost } from "./start-refusal"

/** If a start throws, its draft's lease is released, so that the next try need not wait for it. */
export async function holding<T>(
  deps: FlowDeps,
  draft: Operation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const held = await findById(deps.database, draft.id).catch(() => undefined)
    // Once it is submitted, a call that moves money may be under way.
    if (held?.state === "drafted" && held.leaseToken === draft.leaseToken) {
      await releaseOperation(deps.database, held)
    }
    throw error
  }
}

/**
 * The caller holds the draft by lease.
 *
 * @param takenOver the source of an ended payment that this draft takes over, if there is one
 */
export async function payDraft(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
  takenOver: TakenOver | undefined,
): Promise<Status> {
  const ready = takenOver ? await takeOver(deps, draft, takenOver) : draft
  return PAY[context.flow](deps, context, ready, instructions)
}

const PAY: Readonly<Record<Flow, typeof payByPage>> = {
  push: payByPhone,
  hosted: payByPage,
  card: payByCard,
  link: payByPage,
}

/** The gateway has not answered whose number it is. */
const NO_OPERATOR: RefusalKey = "gateway_unavailable.operator"

async function payByPhone(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const asked = findWallet(context, instructions)
  // Document first makes a call for each line: none is made for a number that can't pay.
  const early = draft.feeBearer === null ? undefined : await asked
  if (early && "refusal" in early && early.refusal.key !== NO_OPERATOR) {
    throw await endStart(deps, context, instructions, draft, early)
  }
  const [opened, payer] = await Promise.all([openSource(deps, context, draft, instructions), asked])
  if ("refusal" in payer) {
    // A gateway that answers nothing is down: naming the operator would not help.
    const isDown =
      payer.refusal.key === NO_OPERATOR &&
      "refusal" in opened &&
      opened.refusal.code === "gateway_unavailable"
    const held = "refusal" in opened ? draft : opened
    throw await endStart(deps, context, instructions, held, isDown ? opened : payer)
  }
  if ("refusal" in opened) throw await endStart(deps, context, instructions, draft, opened)
  return payOpened(deps, context, instructions, opened, payer)
}

/** The source is made before the turn is taken: no other shopper waits for that. */
async function payByCard(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const opened = await openSource(deps, context, draft, instructions)
  if ("refusal" in opened) throw await endStart(deps, context, instructions, draft, opened)
  const turn = await takeCardTurn(deps, context)
  if ("refusal" in turn) {
    await uncountStart(deps, context, instructions)
    throw await endStart(deps, context, instructions, opened, turn)
  }
  try {
    const payer = await findCard(context)
    const refused = "refusal" in payer || (await turn.keep()) ? payer : lost()
    if ("refusal" in refused) throw await endStart(deps, context, instructions, opened, refused)
    return await payOpened(deps, context, instructions, opened, refused, turn)
  } catch (error) {
    await turn.end(error)
    throw error
  }
}

async function payOpened(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
  opened: Operation,
  payer: Payer,
  turn?: CardTurn,
): Promise<Status> {
  const [keys, changed] = await Promise.all([
    openPush(deps, context, opened, payer, instructions),
    confirmQuote(deps, context, opened, payer),
  ])
  const refused = "refusal" in keys ? keys : changed
  if (refused) {
    const named = await withLimit(deps, context, payer, refused)
    throw await endStart(deps, context, instructions, opened, named)
  }
  await assertUnchanged(deps, context, opened)
  const shown = moneyFromMajor(context.request.expectedPayerAmount, payer.payerCurrency)
  const submitted = await persist(deps.database, opened, {
    event: "submit",
    code: "ready_to_send",
    changes: {
      ...keys,
      payerCurrency: payer.payerCurrency,
      quotedPayerAmount: shown ? majorNumber(shown) : null,
      paymentMethod: payer.paymentMethod,
      carrier: payer.carrier,
      reference: opened.draftReference,
      submittedAt: true,
      sendings: 1,
      lastSentAt: true,
      lastSending: "sending",
    },
    next: { inMs: LIMITS.waitingCheckFloorMs },
    lease: { forMs: LIMITS.leaseMs },
  })
  if (!submitted) throw await endStart(deps, context, instructions, opened, lost())
  return sendForShopper(deps, context, instructions, submitted, turn)
}

async function payByPage(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const opened = await openSource(deps, context, draft, instructions)
  if ("refusal" in opened) throw await endStart(deps, context, instructions, draft, opened)
  if (opened.hostedUrl === null) {
    const noPage = { refusal: refusal("gateway_unavailable"), isFinal: true }
    throw await endStart(deps, context, instructions, opened, noPage)
  }
  await assertUnchanged(deps, context, opened)
  const submitted = await persist(deps.database, opened, {
    event: "submit",
    code: "page_ready",
    changes: { submittedAt: true },
    next: { inMs: LIMITS.waitingCheckFloorMs },
    lease: "release",
  })
  if (!submitted) throw await endStart(deps, context, instructions, opened, lost())
  return statusOf(submitted)
}
