/** Operations as the admin reads them: amounts in major units, nothing secret. */
import { figuresOf } from "../core/figures"
import type { OperationId } from "../core/ids"
import { endSentence, sentence, type Facts } from "../core/messages"
import { majorNumber, type Money } from "../core/money"
import { isToUndo, type Operation } from "../core/operation"
import { payerHint } from "../core/payer-hint"
import { standingReason } from "../core/recorded"
import { possibilitiesOf, type Possibility, type Unreturned } from "../core/possibilities"
import type { MethodLabels } from "../core/method-labels"
import type { GatewayNow } from "../engine/ask-now"
import type { MedusaContact } from "../engine/medusa-port"
import type { StrayOrder } from "../engine/stray-order"
import type { FoundFacts } from "./decision-facts"
import { choicesOf, isAwaited, type Choice } from "./rules/choices"
import type {
  ApprovalShown,
  Contact,
  DecisionOffered,
  OperationDetail,
  TimelineEvent,
  ActionPossibility,
  OperationRefund,
  OperationSummary,
  GatewayReading,
  RefundProgress,
} from "./schemas/operations"
import type { OperationReason } from "../core/schemas/merchant-payment"
import type { ListedOperation } from "./sql/list-operations"
import type { TwoAdminRequest } from "../ledger/requests"
import type { OperationEvent } from "../ledger/find-events"

/** What another admin approved, by the operation that it became. */
type Requests = ReadonlyMap<OperationId, TwoAdminRequest>

/** What is shown with operations and is not in the ledger: operators' names and order numbers. */
export type Beside = {
  readonly labelOf: MethodLabels
  /** Order numbers by the order's id. */
  readonly numbers: ReadonlyMap<string, string>
}

export function summaryOf(listed: ListedOperation, { labelOf, numbers }: Beside): OperationSummary {
  const { operation } = listed
  const { amount, collected, refundedMinor, reservedRefundMinor } = operation
  const major = (minor: bigint) => majorNumber({ minor, currency: amount.currency })
  return {
    id: operation.id,
    type: operation.type,
    state: operation.state,
    attention: listed.attention,
    reason: reasonOf(listed),
    is_duplicate: operation.isDuplicate,
    flow: operation.flow,
    account_id: operation.accountId,
    provider_id: operation.providerId ?? "",
    payment_collection_id: operation.paymentCollectionId ?? "",
    payment_session_id: operation.paymentSessionId ?? "",
    cart_id: operation.cartId,
    order_id: operation.orderId,
    order_number: numbers.get(operation.orderId ?? "") ?? null,
    customer: listed.customer,
    parent_id: operation.parentId,
    amount: majorNumber(amount),
    currency: amount.currency,
    collected_amount: majorOrNull(collected),
    refunded_amount: major(refundedMinor),
    refund_pending_amount: major(reservedRefundMinor - refundedMinor),
    figures: figuresOf(operation),
    operator:
      operation.paymentMethod === null
        ? null
        : {
            payment_method: operation.paymentMethod,
            label: labelOf(operation.paymentMethod),
            carrier: operation.carrier,
          },
    phone_hint: payerHint(operation),
    is_payer_unknown: operation.isPayerUnknown,
    reference: operation.reference,
    provider_transaction_id: listed.providerTransactionId,
    source_number: operation.sourceNumber,
    created_at: operation.createdAt.toISOString(),
    checked_at: timeOf(operation.checkedAt),
    next_check_at: timeOf(operation.nextCheckAt),
    money_at: timeOf(operation.moneyAt),
    recorded_at: timeOf(operation.recordedAt),
    returned_at: timeOf(operation.returnedAt),
    taken_back_at: timeOf(operation.takenBackAt),
    dismissed_at: timeOf(listed.dismissedAt),
    asked_by: operation.askedBy,
    note: listed.note,
  }
}

export function detailOf(
  listed: ListedOperation,
  beside: Beside & {
    readonly events: readonly OperationEvent[]
    readonly refunds: readonly ListedOperation[]
    readonly contact: MedusaContact | undefined
    readonly facts: FoundFacts | undefined
    readonly portalUrl: string | null
    readonly strays: readonly StrayOrder[]
    readonly requests: Requests
  },
): OperationDetail {
  const { operation } = listed
  const { facts } = beside
  const choices = facts ? choicesOf(operation, facts) : []
  return {
    ...summaryOf(listed, beside),
    approval: approvalOf(beside.requests.get(operation.id)),
    contact: beside.contact ? contactOf(beside.contact) : null,
    lines: operation.lines.map(({ name, quantity, amount }) => ({
      name,
      quantity,
      amount: majorNumber(amount),
    })),
    source_type: operation.sourceType,
    source_id: operation.sourceId,
    source_status: operation.sourceStatus,
    fee_bearer: operation.feeBearer,
    payment_intent_id: operation.paymentIntentId,
    portal_url: beside.portalUrl,
    gateway_session_id: operation.gatewaySessionId,
    messages: listed.messages,
    refund_id: operation.medusaRefundId,
    checks: operation.checks,
    expires_at: operation.expiresAt.toISOString(),
    submitted_at: timeOf(operation.submittedAt),
    updated_at: listed.updatedAt.toISOString(),
    events: beside.events.map(eventOf),
    refunds: beside.refunds.map((refund) => refundOf(refund, beside.requests)),
    actions: possibilitiesOf(
      operation,
      unreturnedOf(listed, beside.refunds),
      listed.attention === "stray_order",
    ).map((given) => {
      const choice = choices.find(({ action }) => action === given.action)
      return possibilityOf(choice?.whyNot ? choice : given, choice?.facts)
    }),
    decision: facts ? decisionOf(facts, choices, beside) : null,
    stray_orders: beside.strays.map(({ id, number }) => ({ order_id: id, order_number: number })),
  }
}

function approvalOf(request: TwoAdminRequest | undefined): ApprovalShown | null {
  if (!request?.approvedBy || !request.approvedAt) return null
  const { approvedBy, approvedAt, answer } = request
  return { approved_by: approvedBy, approved_at: approvedAt.toISOString(), answer }
}

function decisionOf(
  { orderId, orderState, beside }: FoundFacts,
  choices: readonly Choice[],
  { numbers }: Beside,
): DecisionOffered {
  return {
    order_id: orderId,
    order_number: numbers.get(orderId ?? "") ?? null,
    order_state: orderState,
    other_payment_id: beside?.id ?? null,
    choices: choices
      .filter((choice) => choice.whyNot === null || isAwaited(choice))
      .map(({ action, whyNot, facts, isRecommended, consequence }) => ({
        action,
        recommended: isRecommended,
        disabled: whyNot && { code: whyNot, facts, en: sentence("not_possible", whyNot, facts) },
        consequence,
      })),
  }
}

function unreturnedOf(
  { operation, attention }: ListedOperation,
  refunds: readonly ListedOperation[],
): Unreturned | undefined {
  if (attention !== "refund_failed" && attention !== "order_canceled") return undefined
  const shown = [operation, ...refunds.map((refund) => refund.operation)]
  return { isBeingCorrected: shown.some(isToUndo) }
}

function contactOf({ customerId, orderNumber, ...known }: MedusaContact): Contact {
  return { ...known, customer_id: customerId, order_number: orderNumber }
}

export function refundOf(listed: ListedOperation, requests: Requests): OperationRefund {
  const { operation, note } = listed
  return {
    id: operation.id,
    state: operation.state,
    progress: progressOf(operation),
    amount: majorNumber(operation.amount),
    currency: operation.amount.currency,
    reason: reasonOf(listed),
    asked_by: operation.askedBy,
    note,
    approval: approvalOf(requests.get(operation.id)),
    refund_id: operation.medusaRefundId,
    reference: operation.reference,
    created_at: operation.createdAt.toISOString(),
  }
}

export function readingOf(now: GatewayNow): GatewayReading {
  if (now.kind !== "reads") {
    const nothing = { execution: null, source: null, amount: null, taken_amount: null }
    return { kind: now.kind, ...nothing, currency: null }
  }
  return {
    kind: now.kind,
    execution: now.execution,
    source: now.source,
    amount: majorOrNull(now.total),
    taken_amount: majorOrNull(now.taken),
    currency: now.total?.currency ?? null,
  }
}

export function progressOf({ state }: Operation): RefundProgress {
  switch (state) {
    case "completed":
      return "returned"
    case "failed":
    case "expired":
      return "failed"
    case "review":
      return "under_review"
    case "drafted":
    case "submitted":
    case "in_flight":
      return "on_its_way"
  }
}

function reasonOf({ operation, messages }: ListedOperation): OperationReason | null {
  const code = standingReason(operation)
  if (code === null) return null
  const texts = [messages["gateway"], messages["wallet"]]
  const said = code === "unknown" ? (texts.find(isWritten) ?? null) : null
  return { code, said, en: endSentence(code, said) }
}

const isWritten = (text: unknown): text is string => typeof text === "string" && text.trim() !== ""

function eventOf({ seq, name, state, code, facts, at }: OperationEvent): TimelineEvent {
  const by = facts["by"] ?? facts["asked_by"]
  return {
    seq,
    name,
    state,
    code,
    why: sentence("event", code, facts),
    by: typeof by === "string" ? by : null,
    facts,
    at: at.toISOString(),
  }
}

function possibilityOf({ action, whyNot }: Possibility, facts?: Facts): ActionPossibility {
  return {
    action,
    is_possible: whyNot === null,
    why_not: whyNot && { code: whyNot, en: sentence("not_possible", whyNot, facts) },
  }
}

const majorOrNull = (money: Money | null) => money && majorNumber(money)
const timeOf = (moment: Date | null) => moment?.toISOString() ?? null
