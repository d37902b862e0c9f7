import { z } from "zod"
import contract from "../../../../../contract/openapi.json"
import { createCounterparty, retrieveCounterparty } from "../counterparties"
import { itemEndpoints } from "./source-items"
import type { Reader } from "../reading"
import { invoiceEndpoints } from "./invoices"
import { payLink } from "./links"
import { orderEndpoints } from "./orders"
import { retrieveParty } from "../parties"
import { invoiceReceipts, orderReceipts } from "../receipts"

type Schemas = Readonly<Record<string, unknown>>
const schemas: Schemas = contract.components.schemas
const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) })
const refSchema = z.object({ $ref: z.string() })
const anyOfSchema = z.object({ anyOf: z.array(z.unknown()) })
const arraySchema = z.object({ items: z.unknown() })

/** The fields of a schema of the contract, such as `a` and `b.c`. */
function contractFields(schema: unknown, path = ""): string[] {
  const ref = refSchema.safeParse(schema).data?.$ref.split("/").pop()
  if (ref !== undefined) return contractFields(schemas[ref], path)
  const branches = anyOfSchema.safeParse(schema).data?.anyOf
  if (branches) return [...new Set(branches.flatMap((branch) => contractFields(branch, path)))]
  const items = arraySchema.safeParse(schema).data?.items
  if (items !== undefined) return contractFields(items, path)
  const properties = propertiesSchema.safeParse(schema).data?.properties
  if (!properties) return [path]
  return Object.entries(properties).flatMap(([name, property]) =>
    contractFields(property, path === "" ? name : `${path}.${name}`),
  )
}

/** The fields that a reader reads, in the same form. */
function readerFields(schema: unknown, path = ""): string[] {
  if (schema instanceof z.ZodCatch || schema instanceof z.ZodOptional) {
    return readerFields(schema.unwrap(), path)
  }
  if (schema instanceof z.ZodPipe) return readerFields(schema.in, path)
  if (schema instanceof z.ZodNullable) return readerFields(schema.unwrap(), path)
  if (schema instanceof z.ZodArray) return readerFields(schema.element, path)
  if (!(schema instanceof z.ZodObject)) return [path]
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    readerFields(field, path === "" ? name : `${path}.${name}`),
  )
}

/** Drops the parents of other fields, which an object or null in the contract leaves behind. */
const leaves = (fields: readonly string[]): string[] =>
  fields.filter((field) => !fields.some((other) => other.startsWith(`${field}.`))).sort()

const items = itemEndpoints("orders", "order_id")

describe("what is read", () => {
  const answers: readonly (readonly [string, Pick<Reader<never, unknown>, "schema">])[] = [
    ["PartyResponse", retrieveParty.read],
    ["CounterpartyResponse", createCounterparty.read],
    ["CounterpartyWithPartyResponse", retrieveCounterparty.read],
    ["InvoiceResponse", invoiceEndpoints.create.read],
    ["InvoiceResponse", invoiceEndpoints.publish.read],
    ["InvoiceDetailResponse", invoiceEndpoints.retrieve.read],
    ["InvoiceItemResponse", items.add.read],
    ["InvoiceReceiptResponse", invoiceReceipts.retrieve.read],
    ["OrderResponse", orderEndpoints.create.read],
    ["OrderResponse", orderEndpoints.cancel.read],
    ["OrderDetailResponse", orderEndpoints.retrieve.read],
    ["OrderItemResponse", items.update.read],
    ["LinkResponse", payLink.read],
  ]
  it.each(answers)("names every field of %s and no other", (name, { schema }) => {
    expect(leaves(readerFields(schema))).toEqual(leaves(contractFields(schemas[name])))
  })

  it("names every field of OrderReceiptResponse, and what may stand for its id and number", () => {
    expect(leaves(readerFields(orderReceipts.retrieve.read.schema))).toEqual(
      leaves([...contractFields(schemas.OrderReceiptResponse), "invoice_id", "invoice_number"]),
    )
  })
})
