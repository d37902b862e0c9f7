/** Where the three sides differ, or that they agree. */
import { Alert, StatusBadge, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { DifferenceResponse, ReconciliationResponse, Total } from "../../lib/responses"
import type { Colour } from "../../lib/operation-state"
import { useWords } from "../../lib/words"
import { Hint, Section, WideTable } from "../parts"

const DONE: Readonly<Record<DifferenceResponse["done"], Colour>> = {
  listed: "red",
  held_for_review: "orange",
  checked_again: "blue",
}
/** The width of a cell with a sentence, in a table whose other cells have one line. */
const SENTENCE = { minWidth: 260, maxWidth: 420 }

export function Differences({ answer }: { readonly answer: ReconciliationResponse }) {
  const { say, coded } = useWords()
  const all = answer.accounts.flatMap(({ differences }) => differences)
  const isOther = ({ code }: DifferenceResponse) => code === "paid_elsewhere"
  const [own, others] = [all.filter((one) => !isOther(one)), all.filter(isOther)]
  const leftOut = answer.accounts.reduce((sum, { left_out }) => sum + left_out, 0)
  const { is_green, open } = answer.agreement
  if (is_green && answer.is_complete) {
    // The comparison that is still running may find differences.
    if (answer.is_running) return null
    return (
      <>
        <Alert variant="success" data-testid="agree">
          <span className="flex flex-col">
            <span className="txt-compact-small-plus">{say("reconciliation.agreeTitle")}</span>
            <span>{say("reconciliation.agreeText")}</span>
          </span>
        </Alert>
        <Elsewhere differences={others} />
      </>
    )
  }
  const hasEqualSums = !open.some(({ kind }) => kind === "unequal")
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
      {open.length > 0 && <NotEqual open={open} />}
      <Section title={say("reconciliation.differences", { count: own.length + leftOut })}>
        {own.length === 0 ? (
          <Hint className="px-6 py-4">
            {say(hasEqualSums ? "reconciliation.noDifferences" : "reconciliation.notExplained")}
          </Hint>
        ) : (
          <Differing differences={own} />
        )}
        {leftOut > 0 && (
          <Hint className="px-6 py-4">{say("reconciliation.leftOut", { count: leftOut })}</Hint>
        )}
      </Section>
      <Elsewhere differences={others} />
    </>
  )
}

/** What other shops or programs on the account were paid: it is no difference. */
function Elsewhere({ differences }: { readonly differences: readonly DifferenceResponse[] }) {
  const { say } = useWords()
  if (differences.length === 0) return null
  return (
    <Section title={say("reconciliation.notOurs", { count: differences.length })}>
      <Hint className="px-6 py-4">{say("reconciliation.notOursText")}</Hint>
      <Differing differences={differences} />
    </Section>
  )
}

/** What waits, with its sum, and which sums are not equal. */
function NotEqual({ open }: { readonly open: ReconciliationResponse["agreement"]["open"] }) {
  const { say, exact } = useWords()
  const textOf = ({ amount, count }: Total, currency: string) =>
    `${exact(amount, currency)} (${say("reconciliation.count", { count })})`
  return (
    <Alert variant="warning" data-testid="not-equal">
      <span className="flex flex-col">
        <span className="txt-compact-small-plus">{say("reconciliation.notEqualTitle")}</span>
        {open.map(({ what, currency, sum, sums }, at) => (
          <span key={at}>
            {say(`notEqual.${what}`)}:{" "}
            {(sums ?? (sum ? [sum] : [])).map((one) => textOf(one, currency)).join(" / ")}
          </span>
        ))}
      </span>
    </Alert>
  )
}

function Differing({ differences }: { readonly differences: readonly DifferenceResponse[] }) {
  const { say, coded } = useWords()
  const wordOf = (kind: "gatewayStatus" | "state", code: string | null) =>
    code && coded(`${kind}.${code}`, {}, code)
  return (
    <WideTable
      label={say("reconciliation.what")}
      testId="differences"
      heads={[
        say("reconciliation.what"),
        say("reconciliation.gateway"),
        say("reconciliation.ledger"),
        say("reconciliation.medusa"),
        say("reconciliation.done"),
      ]}
      rows={differences.map((difference) => [
        <What difference={difference} />,
        <Side
          amount={difference.gateway_amount}
          below={wordOf("gatewayStatus", difference.gateway_status)}
        />,
        <Side amount={difference.ledger_amount} below={wordOf("state", difference.state)} />,
        <Side amount={difference.medusa_amount} below={null} />,
        <StatusBadge color={DONE[difference.done]} className="text-nowrap">
          {say(`reconciliation.${difference.done}`)}
        </StatusBadge>,
      ])}
    />
  )
}

function What({ difference }: { readonly difference: DifferenceResponse }) {
  const { say, coded } = useWords()
  const { code, operation_id, order_id, document_reference } = difference
  return (
    <div className="flex flex-col items-start gap-1 whitespace-normal py-3" style={SENTENCE}>
      <Text size="small">{coded(`difference.${code}`, {}, difference.en)}</Text>
      <span className="flex flex-wrap items-center gap-2">
        {operation_id === null && document_reference !== null && (
          <span className="font-mono text-xs">{document_reference}</span>
        )}
        {operation_id !== null && (
          <To to={`/merchant-payments/${operation_id}`}>{say("reconciliation.openPayment")}</To>
        )}
        {order_id !== null && <To to={`/orders/${order_id}`}>{say("reconciliation.openOrder")}</To>}
      </span>
    </div>
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
    <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
      <span>{amount ? exact(amount.amount, amount.currency) : "–"}</span>
      {below !== null && <span className="text-ui-fg-subtle text-xs">{below}</span>}
    </div>
  )
}
