/** `links/pay` and `links/receipt`: web addresses for a customer (contract, 10). */
import { z } from "zod"
import { methodOf, type Call } from "../../call"
import type { WebAddress } from "../../terms/texts"
import { inQuery, type Endpoint } from "../../endpoint"
import type { OperationName } from "../../operations"
import type { SourceType } from "../enums"
import * as field from "../fields"
import { UnusableField, pageIn, reader, type Wire } from "../reading"

export type LinkRequest = {
  readonly sourceType: SourceType
  /** The number of the invoice or order, as the gateway wrote it. */
  readonly sourceNumber: string
}

export type Link = {
  /** The address of the page, http or https. */
  readonly url: WebAddress
  readonly wire: Wire
}

const answerSchema = z.object({ url: field.privateText })

const linkBy = (operation: OperationName): Endpoint<LinkRequest, Link> => ({
  operation,
  write: inQuery(z.object({ sourceType: field.sourceType, sourceNumber: field.sourceNumber })),
  read: reader(answerSchema, (fields, wire, _, context) => {
    const url = pageIn(fields.url, context)
    return url instanceof UnusableField ? url : { url, wire }
  }),
})

export const payLink = linkBy("links.pay")
export const receiptLink = linkBy("links.receipt")

/** Web addresses of an invoice or order, for the customer (contract, 10). */
export const linksOf = (call: Call) => ({
  /**
   * The page where the customer pays. `refused`: the source is not published yet, or was not made
   * with `asPaymentLink`. A visit of the page proves no payment: follow `status.source`
   * (specification, "What the service does"; contract, 10).
   */
  pay: methodOf(call, payLink),
  /** The receipt as a page. `refused`: the source is not `PAID` (contract, 10). */
  receipt: methodOf(call, receiptLink),
})
