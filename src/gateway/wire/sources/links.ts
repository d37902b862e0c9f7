/** `links/pay` and `links/receipt`: addresses to hand to a customer (contract, 10). */
import { z } from "zod"
import { methodOf, type Call } from "../../call"
import type { WebAddress } from "../../../core/said/texts"
import { inQuery, type Endpoint } from "../../endpoint"
import type { OperationName } from "../../operations"
import type { SourceType } from "../enums"
import * as field from "../fields"
import { Misfit, pageIn, reader, type Wire } from "../reading"

export type LinkRequest = {
  readonly sourceType: SourceType
  /** The number of the invoice or order, as the gateway wrote it. */
  readonly sourceNumber: string
}

export type Link = {
  /** http or https. */
  readonly url: WebAddress
  readonly wire: Wire
}

const answerSchema = z.object({ url: field.privateText })

const linkBy = (operation: OperationName): Endpoint<LinkRequest, Link> => ({
  operation,
  write: inQuery(z.object({ sourceType: field.sourceType, sourceNumber: field.documentNumber })),
  read: reader(answerSchema, (fields, wire, _, context) => {
    const url = pageIn(fields.url, context)
    return url instanceof Misfit ? url : { url, wire }
  }),
})

export const payLink = linkBy("links.pay")
export const receiptLink = linkBy("links.receipt")

/** Addresses of an invoice or order, to hand to the customer (contract, 10). */
export const linksOf = (call: Call) => ({
  /**
   * Where the customer pays. `refused`: the document is not published yet, or was not created with
   * `asPaymentLink`. A visit of the page proves no payment: follow `status.source`
   * (specification, "What the service does"; contract, 10).
   */
  pay: methodOf(call, payLink),
  /** The receipt as a page. `refused`: the document is not `PAID` (contract, 10). */
  receipt: methodOf(call, receiptLink),
})
