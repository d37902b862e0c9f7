/**
 * What the compiler says of texts on their way into a row: `tsc` reads this file as it reads all
 * others, and fails where a line below fits that must not.
 */
import { z } from "zod"
import { said } from "../../integration-tests/support/said"
import * as field from "../../packages/gateway/src/wire/fields"
import { recordReader, reader } from "../../packages/gateway/src/wire/reading"
import type { KeptReceipt } from "../worker/schemas/stored-receipt"
import type { PayoutDraft } from "../payouts/sql/insert-payout"
import type { PrivateText } from "../core/said/texts"
import type { Changes } from "./advance-operation"

/** The fields that take any text. */
type Raw<Row> = {
  [Name in keyof Row]-?: string extends NonNullable<Row[Name]> ? Name : never
}[keyof Row]

/** Written by the plugin, by Medusa or by a person; none of them is the gateway's. */
type Own =
  | ("credentialId" | "cartId" | "orderId" | "reference" | "medusaRefundId" | "phoneHint")
  | ("customerName" | "customerEmail" | "successUrl" | "cancelUrl" | "reason" | "closing")
  | ("lastSending" | "traceParent")
type OwnOfPayout =
  | ("id" | "draftReference" | "idempotencyKey" | "accountId" | "credentialId" | "askedBy")
  | ("note" | "recipientName" | "phoneHint" | "agreedWith")

type NothingElse<Row, Allowed> = [Exclude<Raw<Row>, Allowed>] extends [never] ? true : never

it("[D3] no text of the gateway reaches a row but by a reader that cleans it", () => {
  const rows: [
    NothingElse<Changes, Own>,
    NothingElse<KeptReceipt, never>,
    NothingElse<NonNullable<KeptReceipt["lines"]>[number], never>,
    NothingElse<NonNullable<Changes["messages"]>, never>,
    NothingElse<PayoutDraft, OwnOfPayout>,
  ] = [true, true, true, true, true]
  expect(rows).not.toContain(false)

  const text: string = "\u001b[31m"
  const secret: PrivateText = said("secret")
  const wrong: Changes[] = [
    // @ts-expect-error a text as it came
    { sourceNumber: text },
    // @ts-expect-error a text as it came
    { carrier: text },
    // @ts-expect-error a text as it came
    { providerTransactionId: text },
    // @ts-expect-error an address that no parser has written
    { hostedUrl: text },
    // @ts-expect-error a word that may be a sentence
    { sourceStatus: text },
    // @ts-expect-error for a comparison only
    { carrier: secret },
  ]
  expect(wrong).toHaveLength(6)
})

it("[D3] an answer's schema takes no text as it came", () => {
  const raw = z.object({ id: field.id, name: field.text })
  const inner = z.object({ id: field.id, items: z.array(z.object({ name: field.text })) })
  const clean = z.object({ id: field.id, name: field.shownText, number: field.exactText })
  const readers = [
    // @ts-expect-error the name is a request's
    recordReader(raw),
    // @ts-expect-error also deeper in the answer
    reader(inner, (fields, wire) => ({ ...fields, wire })),
    recordReader(clean),
  ]
  expect(readers).toHaveLength(3)
})
