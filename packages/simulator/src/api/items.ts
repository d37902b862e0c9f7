/** Lines of orders and invoices: add, change, remove, while the document is a draft. */
import type { Line, SourceType } from "../book/records"
import { iso } from "../clock"
import { wireAmount, type Currency } from "../money"
import { ownDocument } from "../rules/documents"
import { addItem, removeItem, updateItem, type ItemChange, type ItemRequest } from "../rules/items"
import type { World } from "../world"
import { refused } from "../problem"
import { idOf, operation, type Operation } from "./operation"
import { LINES_MAX } from "./plain-texts"

/** The document's id under the field name of its kind, and the line's id. */
type Path = { order_id?: string; invoice_id?: string; id: string }

/** `addOrderItem`, `removeInvoiceItem` and so on. */
export const itemOperations: readonly Operation[] = (["ORDER", "INVOICE"] as const).flatMap(
  (type) => {
    const kind = type === "ORDER" ? "Order" : "Invoice"
    const parameter = type === "ORDER" ? "order_id" : "invoice_id"
    const own = (world: World, ownerId: number, params: Path) =>
      documentOf(world, ownerId, type, params[parameter])
    return [
      operation<ItemRequest, object, Path>(`add${kind}Item`, ({ world, ownerId, body, params }) => {
        const document = own(world, ownerId, params)
        if (world.settings.texts === "plain" && document.lines.length >= LINES_MAX) {
          throw refused(["body", "items"], `At most ${LINES_MAX} items`)
        }
        return itemAnswer(addItem(world, document, parameter, body), document.currency)
      }),
      operation<ItemChange, object, Path>(
        `update${kind}Item`,
        ({ world, ownerId, body, params }) => {
          const document = own(world, ownerId, params)
          const line = updateItem(world, document, parameter, idOf(params.id), body)
          return itemAnswer(line, document.currency)
        },
      ),
      operation<undefined, object, Path>(`remove${kind}Item`, ({ world, ownerId, params }) => {
        removeItem(world, own(world, ownerId, params), parameter, idOf(params.id))
        return {}
      }),
    ]
  },
)

const documentOf = (world: World, ownerId: number, type: SourceType, id = "") =>
  ownDocument(world, ownerId, type, idOf(id))

/** `amount` is the price of one. */
export const itemAnswer = (line: Line, currency: Currency) => ({
  id: line.id,
  name: line.name,
  currency,
  qty: line.qty,
  amount: wireAmount({ minor: line.unitMinor, currency }),
  created_at: iso(line.createdAtMs),
  updated_at: iso(line.updatedAtMs),
})
