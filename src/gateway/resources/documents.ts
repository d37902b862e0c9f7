import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { documentAct } from "../wire/documents"
import type { DocumentAnswer } from "../wire/documents"

/** The acts that invoices and orders have in common (contract, 4 and 5). */
export type DocumentActs = {
  /** `IDLE` to `ACTIVE`: payable, and locked for editing. */
  publish(id: number, options?: CallOptions): Promise<Outcome<DocumentAnswer>>
  /** From `IDLE` and `ACTIVE` only; refused while `PROCESSING`. */
  cancel(id: number, options?: CallOptions): Promise<Outcome<DocumentAnswer>>
}

export const documentsOf = (call: Call, kind: "invoices" | "orders"): DocumentActs => {
  const publish = documentAct(`${kind}.publish`)
  const cancel = documentAct(`${kind}.cancel`)
  return {
    publish: (id, options) => call(publish, { id }, options),
    cancel: (id, options) => call(cancel, { id }, options),
  }
}
