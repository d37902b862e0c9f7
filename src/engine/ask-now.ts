/**
 * What the gateway says of an operation at this moment, because an admin is about to decide.
 * Asking decides nothing and closes nothing; only money that came twice is held apart. The admin waits, so the questions have a shopper's
 * patience, and they count against the account's budget without waiting for a turn.
 */
import {
  takenOf,
  type ExecutionFinding,
  type SourceFinding,
  type SourceOwner,
} from "../core/decide/decision"
import { isEndOfExecution } from "../core/decide/state-words"
import { sameMoney, type Money } from "../core/money"
import { isPush, type Operation } from "../core/operation"
import { isAskable } from "../core/possibilities"
import { refusal } from "../core/refusal"
import type { CallOptions, Execution, Gateway, Receipt } from "../gateway"
import { spendChecks } from "../ledger/limits/check-budget"
import { askExecution, askSource, unanswered } from "./ask-gateway"
import { ownerOfPaid } from "./collection"
import type { FlowDeps } from "./deps"
import { gatewayFor, isProofAwaited } from "./gateway-for"
import { KINDS } from "./kinds"
import { pauseIfAsked } from "./pause-checks"
import { holdSecondCharge } from "./second-charge"

export type GatewayNow =
  /** The gateway has nothing of the operation, or there are no credentials to ask with. */
  | { readonly kind: "not_asked"; readonly why: "nothing_to_ask" | "no_credentials" }
  | { readonly kind: "unanswered" }
  | {
      readonly kind: "reads"
      /**
       * Its state. Null: the operation has none. `absent`: the gateway does not know it.
       * `unreadable`: it did not answer, and the other of the two proves what came.
       */
      readonly execution: string | null
      /** As `execution`. */
      readonly source: string | null
      /** What the source asks for. */
      readonly total: Money | null
      /** What was taken, as far as the sides of payer and payee show it: no more can go back. */
      readonly taken: Money | null
      /** False: `taken` is only the source's total, because the gateway has no receipt. */
      readonly isTakenShown: boolean
      /** The execution is completed, or the source is paid by this operation. */
      readonly isPaid: boolean
      /** The gateway is taking or sending the money at this moment. */
      readonly isMoving: boolean
    }

export type Reads = Extract<GatewayNow, { kind: "reads" }>

type Asker = "admin" | "rule"

const ADMIN: CallOptions = { patience: "shopper" }
const MOVING = ["PENDING", "PROCESSING"]

/** @param asker a rule needs both witnesses; an admin can decide by the one that answers */
export async function askNow(
  deps: FlowDeps,
  operation: Operation,
  asker: Asker = "admin",
): Promise<GatewayNow> {
  if (!isAskable(operation)) return { kind: "not_asked", why: "nothing_to_ask" }
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) {
    return (await isProofAwaited(deps, operation))
      ? { kind: "unanswered" }
      : { kind: "not_asked", why: "no_credentials" }
  }
  await spendChecks(deps.database, operation.accountId, 2)
  return KINDS[operation.type].source
    ? ask(deps, gateway, operation, asker)
    : askExecutionAlone(deps, gateway, operation)
}

/**
 * As `askNow`, for a decision that needs an answer.
 *
 * @throws Refusal `gateway_unavailable`, `not_configured`, `not_paid` where there is nothing to ask
 */
export async function readNow(
  deps: FlowDeps,
  operation: Operation,
  asker: Asker = "admin",
): Promise<Reads> {
  const now = await askNow(deps, operation, asker)
  if (now.kind === "reads") return now
  if (now.kind === "unanswered") throw refusal("gateway_unavailable")
  if (now.why === "no_credentials") throw refusal("not_configured")
  throw refusal("not_paid", { reads: null }, { reads: null })
}

/** The states that the route's answer returns as `reads` and the event keeps as facts. */
export function factsOf(now: GatewayNow): Readonly<Record<string, string | null>> {
  if (now.kind !== "reads") return { gateway: now.kind === "not_asked" ? now.why : now.kind }
  return { execution: now.execution, source: now.source }
}

async function ask(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  asker: Asker,
): Promise<GatewayNow> {
  const asked =
    isPush(operation) && operation.reference !== null
      ? await askExecution(gateway, operation.reference, ADMIN)
      : undefined
  const execution = asked?.finding
  const source =
    operation.sourceId === null ? undefined : (await askSource(gateway, operation, ADMIN)).finding
  await pauseIfAsked(deps, operation.accountId, execution, source)
  await holdSecondCharge(deps, operation, {
    ...(execution && { execution }),
    ...(source && { source }),
  })
  const executed = execution?.kind === "seen" ? execution.status : undefined
  const status = source?.kind === "seen" ? source.status : undefined
  // What a completed execution took was compared with its source before its reference went out.
  const isProof = asker === "admin" && (executed === "COMPLETED" || status === "PAID")
  if (!isProof && !(isKnown(execution) && isKnown(source))) return { kind: "unanswered" }
  let owner: SourceOwner = "this"
  if (isPush(operation) && status === "PAID" && executed !== "COMPLETED") {
    owner = await ownerOfPaid(deps, gateway, operation)
    // Unsure: an earlier try can't be read. In review the money is this payment's by the ledger.
    if (owner === "unsure" && operation.state !== "review") return { kind: "unanswered" }
  }
  const isPaid = executed === "COMPLETED" || (status === "PAID" && owner !== "another")
  const total =
    source?.kind === "seen" ? source.total : isProof && executed ? operation.amount : null
  const figures = executed === "COMPLETED" ? asked?.answer : undefined
  const shown = isPaid ? await takenNow(deps, gateway, operation, total, figures) : undefined
  if (shown === "unanswered") return { kind: "unanswered" }
  return {
    kind: "reads",
    execution: wordOf(execution),
    source: wordOf(source),
    total,
    taken: shown ? shown.taken : null,
    isTakenShown: shown?.isShown === true,
    isPaid,
    isMoving: MOVING.includes(executed ?? "") || status === "PROCESSING",
  }
}

type Finding = ExecutionFinding | SourceFinding | undefined

function isKnown(finding: Finding): boolean {
  return finding === undefined || finding.kind === "seen" || finding.kind === "absent"
}

function wordOf(finding: Finding): string | null {
  if (finding === undefined) return null
  if (finding.kind === "seen") return finding.status
  return finding.kind === "absent" ? "absent" : "unreadable"
}

/**
 * The sides of payer and payee matter only if the source's total is not what was asked for. Without
 * an answer about the receipt nothing is concluded: the receipt could show that less was taken.
 */
async function takenNow(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  total: Money | null,
  execution: Execution | undefined,
): Promise<{ readonly taken: Money | null; readonly isShown: boolean } | "unanswered"> {
  const { amount, sourceId, sourceType, accountId } = operation
  if (!total || sourceId === null || sameMoney(total, amount)) {
    return { taken: total, isShown: total !== null }
  }
  const shown = ({ payerAmount, payeeAmount }: Execution | Receipt) => ({
    taken: takenOf(amount, total, [payerAmount, payeeAmount]),
    isShown: true,
  })
  if (execution) return shown(execution)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  await spendChecks(deps.database, accountId, 1)
  const receipt = await acts.receipt(sourceId, ADMIN)
  if (receipt.kind === "done") return shown(receipt.value)
  const finding = unanswered(receipt)
  await pauseIfAsked(deps, accountId, finding)
  const isNone = finding.kind === "absent" || finding.kind === "refused"
  return isNone ? { taken: total, isShown: false } : "unanswered"
}

/** For money that went back or out: the gateway has no source that says anything about it. */
async function askExecutionAlone(
  deps: FlowDeps,
  gateway: Gateway,
  { type, reference, accountId, amount }: Operation,
): Promise<GatewayNow> {
  const { finding } = await KINDS[type].ask(gateway, reference)
  await pauseIfAsked(deps, accountId, finding)
  if (finding.kind !== "seen" && finding.kind !== "absent") return { kind: "unanswered" }
  const execution = finding.kind === "seen" ? finding.status : finding.kind
  return {
    kind: "reads",
    execution,
    source: null,
    total: amount,
    taken: amount,
    isTakenShown: true,
    isPaid: execution === "COMPLETED",
    // An unknown state is not an end.
    isMoving: !isEndOfExecution(execution) && execution !== "absent",
  }
}
