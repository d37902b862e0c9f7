/** Addresses of a source's payment page and of its receipt page. */
import type { SourceType } from "../book/records"
import { ownDocumentByNumber } from "../rules/documents"
import { requireVerified } from "../rules/gates"
import { payPath, receiptPath } from "../rules/links"
import { operation, type Operation } from "./operation"

type SourceQuery = { source_type: SourceType; source_number: string }

export const linkOperations: readonly Operation[] = [
  operation<undefined, SourceQuery>("getPaymentLink", ({ world, ownerId, query }) => {
    const { source_type: type, source_number: number } = query
    requireVerified(world, ownerId)
    const document = ownDocumentByNumber(world, ownerId, type, number)
    return { url: `${world.publicUrl()}${payPath(world, document)}` }
  }),
  operation<undefined, SourceQuery>("getReceiptLink", ({ world, ownerId, query }) => {
    const { source_type: type, source_number: number } = query
    const document = ownDocumentByNumber(world, ownerId, type, number)
    return { url: `${world.publicUrl()}${receiptPath(world, document)}` }
  }),
]
