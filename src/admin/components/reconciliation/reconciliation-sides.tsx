/** What each side adds up to, by currency. */
import { Table } from "@medusajs/ui"
import type { AccountReconciliation, PeriodTotals } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Section } from "../parts"

type Sum = { readonly count: number; readonly amount: string; readonly exact?: string }

export function Sides(props: {
  readonly account: AccountReconciliation
  readonly isOneOfSome: boolean
}) {
  const { say } = useWords()
  const { account, isOneOfSome } = props
  const shown = account.totals.filter(hasLine)
  if (shown.length === 0) return null
  const title = say("reconciliation.sides")
  return (
    <Section title={isOneOfSome ? `${title} · ${account.label}` : title}>
      <div
        className="overflow-x-auto"
        data-testid="sides"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <Table>
          <Table.Header>
            <Table.Row>
              <Table.HeaderCell>
                <span className="sr-only">{say("reconciliation.amount")}</span>
              </Table.HeaderCell>
              <Table.HeaderCell>{say("reconciliation.gateway")}</Table.HeaderCell>
              <Table.HeaderCell>{say("reconciliation.ledger")}</Table.HeaderCell>
              <Table.HeaderCell>{say("reconciliation.medusa")}</Table.HeaderCell>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {shown.map((totals) => (
              <OfCurrency key={totals.currency} totals={totals} />
            ))}
          </Table.Body>
        </Table>
      </div>
    </Section>
  )
}

const isAny = (...sums: readonly Sum[]) => sums.some(({ count }) => count > 0)

/** What the bridge tells is not told again. */
function hasLine({ bridge, gateway, refunds }: PeriodTotals): boolean {
  const { gateway: confirmed, ledger: sent, medusa } = refunds
  return !bridge || isAny(confirmed, sent, medusa) || (gateway !== null && isAny(gateway.elsewhere))
}

function OfCurrency({ totals }: { readonly totals: PeriodTotals }) {
  const { say } = useWords()
  const { currency, bridge, gateway, ledger, medusa, refunds } = totals
  return (
    <>
      {!bridge && (
        <Line
          name={`${say("reconciliation.paid")} · ${currency}`}
          why={say("reconciliation.paidText")}
          sums={[gateway?.paid ?? null, ledger.completed, medusa.captured]}
          currency={currency}
        />
      )}
      {!bridge && isAny(ledger.under_review) && (
        <Line
          name={say("reconciliation.underReview")}
          why={say("reconciliation.underReviewText")}
          sums={[undefined, ledger.under_review, undefined]}
          currency={currency}
        />
      )}
      {isAny(refunds.gateway, refunds.ledger, refunds.medusa) && (
        <Line
          name={say("reconciliation.refunded")}
          why={say("reconciliation.refundedText")}
          sums={[refunds.gateway, refunds.ledger, refunds.medusa]}
          currency={currency}
        />
      )}
      {gateway && isAny(gateway.elsewhere) && (
        <Line
          name={say("reconciliation.elsewhere")}
          why={say("reconciliation.elsewhereText")}
          sums={[gateway.elsewhere, undefined, undefined]}
          currency={currency}
        />
      )}
    </>
  )
}

/** The three sides. Null: could not be read. Undefined: this side has none. */
function Line(props: {
  readonly name: string
  readonly why: string
  readonly sums: readonly (Sum | null | undefined)[]
  readonly currency: string
}) {
  const { say } = useWords()
  return (
    <Table.Row>
      <Table.Cell>
        <div
          className="flex flex-col whitespace-normal py-3"
          style={{ minWidth: 180, maxWidth: 360 }}
        >
          <span className="txt-compact-small-plus text-ui-fg-base">{props.name}</span>
          <span className="text-ui-fg-subtle text-xs">{props.why}</span>
        </div>
      </Table.Cell>
      {props.sums.map((sum, n) => (
        <Table.Cell key={n}>
          {sum === null && (
            <span className="text-ui-fg-subtle">{say("reconciliation.notRead")}</span>
          )}
          {sum === undefined && <span className="text-ui-fg-subtle">–</span>}
          {sum && <SumText sum={sum} currency={props.currency} />}
        </Table.Cell>
      ))}
    </Table.Row>
  )
}

function SumText({ sum, currency }: { readonly sum: Sum; readonly currency: string }) {
  const { say, exact: textOf } = useWords()
  const { count, amount, exact } = sum
  // Other digits than the amount, apart from zeros at the end: Medusa does not round.
  const isOther = exact !== undefined && Number(exact) !== Number(amount)
  return (
    <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
      <span className="text-ui-fg-base">{textOf(amount, currency)}</span>
      <span className="text-ui-fg-subtle text-xs">
        {say("reconciliation.count", { count })}
        {isOther && ` · ${say("reconciliation.exact", { amount: exact })}`}
      </span>
    </div>
  )
}
