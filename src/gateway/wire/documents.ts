/** `publish` and `cancel` of invoices and orders (contract, 4 and 5). Both answer the document. */
import { z } from "zod"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { OperationName } from "../operations"
import type { DocumentStatus } from "./enums"
import type { Wire } from "./fields"
import { idField, Misfit, optionalId, optionalText, reader, statusField } from "./fields"

export type DocumentAnswer = {
  readonly id: number
  readonly status: DocumentStatus
  /** The merchant that the credential belongs to. */
  readonly ownerId?: number
  readonly ownerType?: string
  readonly wire: Wire
}

const requestSchema = z.object({ id: z.int().positive() })
const answerSchema = z.object({
  id: idField,
  status: statusField,
  owner_id: optionalId,
  owner_type: optionalText,
})

/** Both kinds of documents and both acts are the same call with another path. */
export function documentAct(operation: OperationName): Endpoint<{ id: number }, DocumentAnswer> {
  return {
    operation,
    problemsWith: checkedBy(requestSchema),
    write: ({ id }) => ({ params: { id: String(id) } }),
    read: reader(answerSchema, ({ id, status, owner_id, owner_type }, wire, request) => {
      if (id !== request.id) return new Misfit("id", "another document than asked for")
      return {
        id,
        status,
        ownerId: owner_id,
        ownerType: owner_type,
        wire,
      }
    }),
  }
}
