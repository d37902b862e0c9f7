/** What each side adds up to, each currency for itself. */
import { Table } from "@medusajs/ui"
import { amountText } from "../lib/amount-text"
import type { AccountReconciliation, PeriodTotals } from "../lib/answers"
import { useWords } from "../lib/words"
import { Section } from "./parts"

type Sum = { readonly count: number; readonly amount: string; readonly exact?: string }

export function Sides(props: {
  readonly account: AccountReconciliation
  readonly isOneOfSome: boolean
}) {
  const { say } = useWords()
  const { account, isOneOfSome } = props
  if (account.totals.length === 0) return null
  const title = say("books.sides")
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
                <span className="sr-only">{say("books.amount")}</span>
              </Table.HeaderCell>
              <Table.HeaderCell>{say("books.gateway")}</Table.HeaderCell>
              <Table.HeaderCell>{say("books.ledger")}</Table.HeaderCell>
              <Table.HeaderCell>{say("books.medusa")}</Table.HeaderCell>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {account.totals.map((totals) => (
              <OfCurrency key={totals.currency} totals={totals} />
            ))}
          </Table.Body>
        </Table>
      </div>
    </Section>
  )
}

function OfCurrency({ totals }: { readonly totals: PeriodTotals }) {
  const { say } = useWords()
  const { currency, gateway, ledger, medusa, refunds } = totals
  const isAny = (...sums: readonly Sum[]) => sums.some(({ count }) => count > 0)
  return (
    <>
      <Line
        name={`${say("books.paid")} · ${currency}`}
        why={say("books.paidText")}
        sums={[gateway?.paid ?? null, ledger.completed, medusa.captured]}
        currency={currency}
      />
      {isAny(ledger.under_review) && (
        <Line
          name={say("books.underReview")}
          why={say("books.underReviewText")}
          sums={[undefined, ledger.under_review, undefined]}
          currency={currency}
        />
      )}
      {isAny(refunds.gateway, refunds.ledger, refunds.medusa) && (
        <Line
          name={say("books.refunded")}
          why={say("books.refundedText")}
          sums={[refunds.gateway, refunds.ledger, refunds.medusa]}
          currency={currency}
        />
      )}
      {gateway && isAny(gateway.elsewhere) && (
        <Line
          name={say("books.elsewhere")}
          why={say("books.elsewhereText")}
          sums={[gateway.elsewhere, undefined, undefined]}
          currency={currency}
        />
      )}
    </>
  )
}

/** Of the three sides; null: it could not be read, undefined: it has none. */
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
          {sum === null && <span className="text-ui-fg-subtle">{say("books.notRead")}</span>}
          {sum === undefined && <span className="text-ui-fg-subtle">–</span>}
          {sum && <SumText sum={sum} currency={props.currency} />}
        </Table.Cell>
      ))}
    </Table.Row>
  )
}

function SumText({ sum, currency }: { readonly sum: Sum; readonly currency: string }) {
  const { say, language } = useWords()
  const { count, amount, exact } = sum
  // With other digits than the amount, zeros at the end aside: Medusa does not round.
  const isOther = exact !== undefined && Number(exact) !== Number(amount)
  return (
    <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
      <span className="text-ui-fg-base">{amountText(amount, currency, language)}</span>
      <span className="text-ui-fg-subtle text-xs">
        {say("books.count", { count })}
        {isOther && ` · ${say("books.exact", { amount: exact })}`}
      </span>
    </div>
  )
}
