/** Where the three sides differ, or that they agree. */
import { Alert, Badge, StatusBadge, Table, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { DifferenceResponse, ReconciliationResponse } from "../../lib/responses"
import type { Colour } from "../../lib/operation-state"
import { hasRemainder } from "../../lib/reconciliation"
import { useWords } from "../../lib/words"
import { Hint, Section } from "../parts"

const DONE: Readonly<Record<DifferenceResponse["done"], Colour>> = {
  listed: "red",
  held_for_review: "orange",
  looked_at_again: "blue",
}
/** A sentence, in a table whose other cells have one line. */
const SENTENCE = { minWidth: 260, maxWidth: 420 }

export function Differences({ answer }: { readonly answer: ReconciliationResponse }) {
  const { say, coded } = useWords()
  const all = answer.accounts.flatMap(({ differences }) => differences)
  const leftOut = answer.accounts.reduce((sum, { left_out }) => sum + left_out, 0)
  const isExplained = !answer.accounts.some(({ totals }) => totals.some(hasRemainder))
  if (all.length === 0 && answer.is_complete && isExplained) {
    // The comparison that runs may find otherwise.
    if (answer.is_running) return null
    return (
      <Alert variant="success" data-testid="agree">
        <span className="flex flex-col">
          <span className="txt-compact-small-plus">{say("reconciliation.agreeTitle")}</span>
          <span>{say("reconciliation.agreeText")}</span>
        </span>
      </Alert>
    )
  }
  return (
    <>
      {answer.accounts
        .filter(({ is_complete }) => !is_complete)
        .map(({ account_id, label, incomplete_because }) => (
          <Alert key={account_id} variant="warning" data-testid="incomplete">
            <span className="flex flex-col">
              <span className="txt-compact-small-plus">
                {say("reconciliation.incomplete")}
                {answer.accounts.length > 1 && ` · ${label}`}
              </span>
              {incomplete_because.map((reason) => (
                <span key={reason.code}>{coded(`incomplete.${reason.code}`, {}, reason.en)}</span>
              ))}
            </span>
          </Alert>
        ))}
      <Section title={say("reconciliation.differences", { count: all.length + leftOut })}>
        {all.length === 0 ? (
          <Hint className="px-6 py-4">
            {say(isExplained ? "reconciliation.noDifferences" : "reconciliation.notExplained")}
          </Hint>
        ) : (
          <div
            className="overflow-x-auto"
            data-testid="differences"
            tabIndex={0}
            role="region"
            aria-label={say("reconciliation.what")}
          >
            <Rows differences={all} />
          </div>
        )}
        {leftOut > 0 && (
          <Hint className="px-6 py-4">{say("reconciliation.leftOut", { count: leftOut })}</Hint>
        )}
      </Section>
    </>
  )
}

function Rows({ differences }: { readonly differences: readonly DifferenceResponse[] }) {
  const { say } = useWords()
  return (
    <Table>
      <Table.Header>
        <Table.Row>
          <Table.HeaderCell>{say("reconciliation.what")}</Table.HeaderCell>
          <Table.HeaderCell>{say("reconciliation.gateway")}</Table.HeaderCell>
          <Table.HeaderCell>{say("reconciliation.ledger")}</Table.HeaderCell>
          <Table.HeaderCell>{say("reconciliation.medusa")}</Table.HeaderCell>
          <Table.HeaderCell>{say("reconciliation.done")}</Table.HeaderCell>
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {differences.map((difference, n) => (
          <Row key={`${difference.code} ${n}`} difference={difference} />
        ))}
      </Table.Body>
    </Table>
  )
}

function Row({ difference }: { readonly difference: DifferenceResponse }) {
  const { say, coded } = useWords()
  const { code, done, operation_id, order_id, document_reference } = difference
  return (
    <Table.Row>
      <Table.Cell>
        <div className="flex flex-col items-start gap-1 whitespace-normal py-3" style={SENTENCE}>
          <Text size="small">{coded(`difference.${difference.code}`, {}, difference.en)}</Text>
          <span className="flex flex-wrap items-center gap-2">
            <Badge size="2xsmall">{code}</Badge>
            {operation_id === null && document_reference !== null && (
              <span className="font-mono text-xs">{document_reference}</span>
            )}
            {operation_id !== null && (
              <To to={`/merchant-payments/${operation_id}`}>{say("reconciliation.openPayment")}</To>
            )}
            {order_id !== null && (
              <To to={`/orders/${order_id}`}>{say("reconciliation.openOrder")}</To>
            )}
          </span>
        </div>
      </Table.Cell>
      <Side amount={difference.gateway_amount} below={difference.gateway_status} />
      <Side amount={difference.ledger_amount} below={difference.state} />
      <Side amount={difference.medusa_amount} below={null} />
      <Table.Cell>
        <StatusBadge color={DONE[done]} className="text-nowrap">
          {say(`reconciliation.${done}`)}
        </StatusBadge>
      </Table.Cell>
    </Table.Row>
  )
}

function To(props: { readonly to: string; readonly children: string }) {
  return (
    <Link to={props.to} className="txt-compact-small text-ui-fg-base underline">
      {props.children}
    </Link>
  )
}

function Side(props: {
  readonly amount: DifferenceResponse["gateway_amount"]
  readonly below: string | null
}) {
  const { exact } = useWords()
  const { amount, below } = props
  return (
    <Table.Cell>
      <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
        <span>{amount ? exact(amount.amount, amount.currency) : "–"}</span>
        {below !== null && <span className="text-ui-fg-subtle text-xs">{below}</span>}
      </div>
    </Table.Cell>
  )
}
