/** A second order of the purchase that nobody pays: cancelled with one click, or left as it is. */
import { toast } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { OperationDetail } from "../lib/responses"
import { act, useAct } from "../lib/queries"
import { useWords } from "../lib/words"
import { Button, Hint, Problem, Section } from "./parts"
import { PutAside } from "./refunds"

export function StrayOrders({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  if (operation.stray_orders.length === 0) return null
  return (
    <Section title={say("strays.title")}>
      <div className="flex flex-col items-start gap-y-3 px-6 py-4" data-testid="stray-orders">
        {operation.stray_orders.map((order) => (
          <StrayOrder key={order.order_id} operation={operation} order={order} />
        ))}
        {operation.attention === "stray_order" && (
          <PutAside operation={operation} text="strays.keepText" />
        )}
      </div>
    </Section>
  )
}

function StrayOrder(props: {
  readonly operation: OperationDetail
  readonly order: OperationDetail["stray_orders"][number]
}) {
  const { operation, order } = props
  const { say } = useWords()
  const number = order.order_number
  const cancel = useAct(
    () => act.cancelOrder(operation.id, order.order_id),
    () => void toast.success(say("strays.canceled", { number })),
  )
  return (
    <>
      <Hint>{say("strays.text", { number, own: operation.order_number ?? "" })}</Hint>
      <Problem error={cancel.error} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" isLoading={cancel.isPending} onClick={() => cancel.mutate()}>
          {say("strays.cancel", { number })}
        </Button>
        <Button asChild>
          <Link to={`/orders/${order.order_id}`}>{say("strays.open", { number })}</Link>
        </Button>
      </div>
    </>
  )
}
