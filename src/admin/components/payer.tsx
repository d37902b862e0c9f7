/** Who pays, how to reach them, for which order and how: what an admin needs on the telephone. */
import { Link } from "react-router-dom"
import type { OperationDetail } from "../lib/responses"
import { operatorName } from "../lib/operation-state"
import { useWords } from "../lib/words"
import { Hint, Row, Section } from "./parts"

const LINK = "text-ui-fg-base underline"

export function Payer({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const { contact, order_id, phone_hint, flow, type } = operation
  if (type === "PAYOUT" || type === "TRANSFER") return null
  const hint = phone_hint && `…${phone_hint}`
  const number = contact?.order_number
  const name = contact?.name
  return (
    <Section title={say("payer.title")}>
      <div className="py-2" data-testid="payer">
        <Row name={say("payer.name")}>
          {name && contact.customer_id ? (
            <Link className={LINK} to={`/customers/${contact.customer_id}`}>
              {name}
            </Link>
          ) : (
            name
          )}
        </Row>
        <Row name={say("payer.email")}>
          {contact?.email && (
            <a className={LINK} href={`mailto:${contact.email}`}>
              {contact.email}
            </a>
          )}
        </Row>
        <Row name={say("payer.order")}>
          {order_id ? (
            <Link className={LINK} to={`/orders/${order_id}`}>
              {number ? say("review.order", { number }) : say("list.openOrder")}
            </Link>
          ) : (
            say("list.noOrder")
          )}
        </Row>
        <Row name={say("payer.method")}>
          {[say(`flow.${flow}`), operatorName(operation), hint].filter(Boolean).join(" · ")}
        </Row>
        {!contact && <Hint className="px-6 py-1.5">{say("payer.unknown")}</Hint>}
      </div>
    </Section>
  )
}

/** The name, else the e-mail address, of who pays. */
export function payerName({ contact }: Pick<OperationDetail, "contact">): string | null {
  return contact?.name ?? contact?.email ?? null
}
