import { isPage, type Operation } from "./operation"

/**
 * The last digits of the phone that pays. On a page any phone or card can pay, so the number that
 * the page was made for says nothing about it.
 */
export function payerHint(operation: Pick<Operation, "flow" | "phoneHint">): string | null {
  return isPage(operation) ? null : operation.phoneHint
}
