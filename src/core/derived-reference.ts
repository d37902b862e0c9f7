/**
 * References that can be found again. A ledger that was restored from a backup has lost what it sent
 * since; from what is left it derives the same reference, under which the gateway moves money once.
 * The form is that of a UUID v4, because the gateway takes no other.
 */
import { createHash } from "node:crypto"
import { v4 as uuidV4 } from "uuid"
import { idFrom, type Reference } from "./ids"
import { hasEnded, type Operation } from "./operation"

/** In `askedBy` of a refund that was found so: the gateway does not say who asked for it. */
export const UNKNOWN_ASKER = "unknown"

/** The same parts always give the same reference. */
export function derivedReference(...parts: readonly (string | number)[]): Reference {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest()
  return idFrom(uuidV4({ random: digest.subarray(0, 16) }))
}

type Refund = Pick<Operation, "state" | "reference" | "draftReference">

type Payment = Pick<Operation, "id" | "accountId" | "credentialId" | "paymentIntentId">

/**
 * The reference of a payment's next refund: the first, the second and so on, by the gateway's id of
 * the payment, which means something to one client at one gateway only. A refund that ended and was
 * never sent leaves its reference to the next one, so that one question finds what the ledger lost.
 */
export function nextRefundReference(payment: Payment, refunds: readonly Refund[]): Reference {
  const { id, accountId, credentialId, paymentIntentId } = payment
  const taken = new Set(
    refunds.map((one) => one.reference ?? (hasEnded(one) ? null : one.draftReference)),
  )
  const paid = [accountId, credentialId ?? "", paymentIntentId ?? id]
  for (let nth = 1; ; nth++) {
    const reference = derivedReference("refund", ...paid, nth)
    if (!taken.has(reference)) return reference
  }
}
