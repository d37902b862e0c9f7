import { Refusal } from "../core/refusal"
import { customerIdIn, operationIdIn, orderIdIn } from "./admin-validators"

it.each([
  ["an order", orderIdIn, "order_not_found"],
  ["an operation", operationIdIn, "operation_not_found"],
  ["a customer", customerIdIn, "customer_not_found"],
])("the id of %s in an impossible shape is answered as one of those", (_, idIn, code) => {
  const read = () => idIn({ id: "no \u0000 id" })
  expect(read).toThrow(Refusal)
  expect(read).toThrow(expect.objectContaining({ code }))
  expect(idIn({ id: "id_1" })).toBe("id_1")
})
