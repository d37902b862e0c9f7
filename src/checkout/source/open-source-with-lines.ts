/**
 * Makes the source document first: the only way that says who bears the fees (contract, section
 * 2b).
 *
 * party, counterparty → source, idle and empty → its id committed → lines in parallel → published,
 * and its total compared → `ACTIVE` committed → for a page: its address
 *
 * If the gateway refuses the lines' texts or number, one line at the same total replaces what the
 * source lacks.
 *
 * If the answer to making a source is lost, that source is empty, and can't be published. A
 * continued draft reads its source and adds what is missing. A line whose answer was lost may be
 * added twice: the total is another one then, and the source is closed.
 */
import type { SourceId } from "../../core/ids"
import { sourceLines, missingLines, type SourceLine } from "../../core/cart-lines"
import { sourceReference } from "../../core/source-reference"
import { LIMITS } from "../../core/limits"
import { sameMoney } from "../../core/money"
import { isPage, type FeeBearer, type Operation } from "../../core/operation"
import { refusal } from "../../core/refusal"
import { mayBeOfText, type SourceDetail } from "../../gateway"
import type { FlowDeps } from "../../engine/deps"
import { persist } from "../../engine/persist"
import { billedParty, forgetUnknownParty } from "./billed-party"
import type { StartContext } from "../context"
import type { Instructions } from "../offer/read-instructions"
import { confirmSource, giveUpSource, publishSource } from "./publish-source"
import { lost, startRefusalOf, type StartRefusal } from "../start-refusal"

/** @returns the draft with a payable source, and with the address if it has a page; or why not */
export async function openSourceWithLines(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  feeBearer: FeeBearer,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  const opened = await openPayable(deps, context, draft, feeBearer, instructions)
  if ("refusal" in opened) return opened
  const hasAddress = !isPage(opened) || opened.hostedUrl !== null
  return hasAddress ? opened : withAddress(deps, context, opened)
}

async function openPayable(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  feeBearer: FeeBearer,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  if (draft.sourceId !== null) {
    if (draft.sourceStatus === "ACTIVE") return draft
    return continueSource(deps, context, draft, draft.sourceId)
  }
  const made = await makeSource(deps, context, draft, feeBearer, instructions)
  if ("refusal" in made) return made
  return fillAndPublish(deps, context, made, sourceLines(made.lines))
}

/** An earlier `start` stopped on the way: the source may have all lines, some, or be published. */
async function continueSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  sourceId: SourceId,
): Promise<Operation | StartRefusal> {
  const acts = draft.sourceType === "ORDER" ? context.gateway.orders : context.gateway.invoices
  const outcome = await acts.retrieve(sourceId, context.callOptions())
  if (outcome.kind !== "done") return startRefusalOf(outcome)
  const source = outcome.value
  if (source.status !== "IDLE") return confirmSource(deps, draft, source)
  const missing = missingOf(draft, source)
  if (!missing) return giveUpSource(deps, draft, { lines: "other" })
  return fillAndPublish(deps, context, draft, missing)
}

/** The gateway may leave out a source's lines; then the total says if it has all or none. */
function missingOf(draft: Operation, source: SourceDetail): SourceLine[] | undefined {
  // The source asks for the right total, whatever its lines are called: one line may stand for all.
  if (sameMoney(source.total, draft.amount)) return []
  const wanted = sourceLines(draft.lines)
  if (source.items) {
    const present = source.items.map(({ name, qty, amount }) => ({ name, qty, unit: amount }))
    return missingLines(wanted, present)
  }
  return source.total.minor === 0n ? wanted : undefined
}

/** @returns the draft with the id of its new, empty source; or why there is none */
async function makeSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  feeBearer: FeeBearer,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  const party = await billedParty(deps, context, instructions)
  if ("refusal" in party) return party
  const request = {
    counterpartyId: party.counterpartyId,
    currency: draft.amount.currency,
    note: instructions.note,
    feeBearer,
    // A push gets no page: the shopper could pay there a second time.
    asPaymentLink: isPage(draft),
    referenceId: sourceReference(draft.id),
  }
  const { orders, invoices } = context.gateway
  const outcome =
    draft.sourceType === "ORDER"
      ? await orders.create(request, context.callOptions())
      : await invoices.create({ ...request, dueDate: draft.expiresAt }, context.callOptions())
  if (outcome.kind !== "done") {
    const isForgotten = await forgetUnknownParty(deps, party.fromBefore, outcome)
    // This repeats once at most: only a kept party can be forgotten, and the next one is new.
    if (isForgotten) return makeSource(deps, context, draft, feeBearer, instructions)
    return startRefusalOf(outcome)
  }
  const source = outcome.value
  const opened = await persist(deps.database, draft, {
    event: { note: "source_opened" },
    code: "source_made",
    facts: { source_id: source.id, status: source.status, fee_bearer: feeBearer },
    changes: {
      sourceId: source.id,
      sourceNumber: source.number,
      sourceStatus: source.status,
      partyId: party.partyId,
    },
    lease: { forMs: LIMITS.startLeaseMs },
  })
  return opened ?? lost()
}

async function fillAndPublish(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  lines: readonly SourceLine[],
): Promise<Operation | StartRefusal> {
  const refused = await addLines(context, draft, lines)
  const isOfText = refused?.said !== undefined && mayBeOfText(refused.said)
  const left = isOfText ? await addRest(context, draft, refused) : refused
  return left ?? publishSource(deps, context, draft)
}

/**
 * If the gateway refuses a line's text, or any further line, one line takes the place of all lines
 * that the source lacks. The source is read first, because lines sent in parallel may have arrived.
 * If the gateway refuses this one line, too, the last line is removed and its money joins the rest.
 */
async function addRest(
  context: StartContext,
  { sourceType, sourceId, amount }: Operation,
  refused: StartRefusal,
): Promise<StartRefusal | undefined> {
  const { orders, invoices } = context.gateway
  const acts = sourceType === "ORDER" ? orders : invoices
  const id = sourceId ?? 0
  const read = await acts.retrieve(id, context.callOptions())
  if (read.kind !== "done") return refused
  const { status, total, items } = read.value
  const minor = amount.minor - total.minor
  if (status !== "IDLE" || total.currency !== amount.currency || minor < 0n) return refused
  if (minor === 0n) return undefined
  const addOf = async (all: bigint) => {
    const rest = { name: "Other items", qty: 1, amount: { ...amount, minor: all } }
    return (await acts.items.add(id, rest, context.callOptions())).kind === "done"
  }
  if (await addOf(minor)) return undefined
  const last = items?.at(-1)
  if (!last || (await acts.items.remove(id, last.id, context.callOptions())).kind !== "done") {
    return refused
  }
  return (await addOf(minor + BigInt(last.qty) * last.amount.minor)) ? undefined : refused
}

/** Adds the lines in parallel until one fails; the next `start` adds the lines that are missing. */
async function addLines(
  context: StartContext,
  draft: Operation,
  lines: readonly SourceLine[],
): Promise<StartRefusal | undefined> {
  const acts = draft.sourceType === "ORDER" ? context.gateway.orders : context.gateway.invoices
  const waiting = [...lines]
  const startRefusals: StartRefusal[] = []
  const addInTurn = async () => {
    for (let line = waiting.shift(); line && startRefusals.length === 0; line = waiting.shift()) {
      if (context.remainingMs() <= 0) {
        startRefusals.push({ refusal: refusal("gateway_unavailable"), isFinal: false })
        return
      }
      const outcome = await acts.items.add(
        draft.sourceId ?? 0,
        { name: line.name, qty: line.qty, amount: line.unit },
        context.callOptions(),
      )
      if (outcome.kind !== "done") startRefusals.push(startRefusalOf(outcome))
    }
  }
  await Promise.all(Array.from({ length: Math.min(LIMITS.linesInFlight, lines.length) }, addInTurn))
  return startRefusals.find(({ isFinal }) => isFinal) ?? startRefusals[0]
}

/**
 * Asks for the page of a published source. Where it sends the shopper afterwards can't be chosen.
 */
async function withAddress(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<Operation | StartRefusal> {
  const { sourceType, sourceNumber } = draft
  if (sourceNumber === null) return { refusal: refusal("gateway_unavailable"), isFinal: true }
  const outcome = await context.gateway.links.pay(
    { sourceType, sourceNumber },
    context.callOptions(),
  )
  if (outcome.kind !== "done") return startRefusalOf(outcome)
  const addressed = await persist(deps.database, draft, {
    event: { note: "page_opened" },
    code: "page_ready",
    changes: { hostedUrl: outcome.value.url },
    lease: { forMs: LIMITS.startLeaseMs },
  })
  return addressed ?? lost()
}
