import { isPush, type Operation } from "./operation"

/**
 * What an answer of the gateway says about who paid. A prompt's source has a page, too, where any
 * phone or card can pay: only a COMPLETED execution proves that the prompt brought the money.
 *
 * @param isPaid the source is paid, and not by another operation
 */
export function payerChange(
  operation: Pick<Operation, "flow" | "isPayerUnknown">,
  { execution, isPaid }: { readonly execution: string | null; readonly isPaid: boolean },
): { readonly isPayerUnknown?: boolean } {
  const isProven = execution === "COMPLETED"
  if (!isPush(operation) || !(isProven || isPaid)) return {}
  return isProven === operation.isPayerUnknown ? { isPayerUnknown: !isProven } : {}
}
