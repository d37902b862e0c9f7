import fs from "node:fs"
import path from "node:path"
import { GraphQLUtils } from "@medusajs/framework/utils"
import { MERCHANT_PAYMENT_FIELDS, MERCHANT_PAYMENT_GRAPH } from "./merchant-payment"

const page = fs.readFileSync(path.resolve(__dirname, "../../docs/shop-code.md"), "utf8")

/** The names in the first column of the table with this heading. */
function rowsOf(heading: string): string[] {
  const [, table = ""] = page.split(`\n| ${heading} |`)
  const [rows = ""] = table.split("\n\n")
  return [...rows.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  )
}

it("the page of the shop's own code documents every field of a payment, and no other", () => {
  expect(rowsOf("Field").sort()).toEqual([...MERCHANT_PAYMENT_FIELDS].sort())
})

it("a payment keeps the fields on which shops may rely", () => {
  const customers = ["customer", "email", "name", "phone", "token", "note", "asked_by", "messages"]
  expect(MERCHANT_PAYMENT_FIELDS.filter((field) => customers.includes(field))).toEqual([])
  expect(MERCHANT_PAYMENT_FIELDS).toHaveLength(31)
})

it("the fields are a schema that Medusa can generate types from", () => {
  const typeDefs = `${MERCHANT_PAYMENT_GRAPH} type Query { payment: MerchantPayment }`
  const schema = GraphQLUtils.makeExecutableSchema({ typeDefs })
  expect(schema.getType("MerchantPayment")?.astNode?.kind).toBe("ObjectTypeDefinition")
})
