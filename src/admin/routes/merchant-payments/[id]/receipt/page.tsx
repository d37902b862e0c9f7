/**
 * The receipt of a payment, for printing or as a PDF. The rest of the dashboard is hidden on paper.
 */
import { Container, Heading, Text } from "@medusajs/ui"
import { Link, useParams } from "react-router-dom"
import { Button, Cells, Problem, Row, Waiting } from "../../../../components/parts"
import type { WordKey } from "../../../../i18n/words"
import type { AdminReceiptResponse } from "../../../../lib/responses"
import { useMedusaOrder, useReceipt } from "../../../../lib/queries"
import { useWords } from "../../../../lib/words"

const ON_PAPER = `@media print {
  body * { visibility: hidden; }
  #merchant-payments-receipt, #merchant-payments-receipt * { visibility: visible; }
  #merchant-payments-receipt { position: absolute; inset: 0; box-shadow: none; }
  #merchant-payments-receipt .no-print { display: none; }
}`

const ReceiptPage = () => {
  const { id = "" } = useParams()
  const { say } = useWords()
  const { data, error, refetch } = useReceipt(id)
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-y-3">
      <Button variant="transparent" className="self-start" asChild>
        <Link to={`/merchant-payments/${id}`}>{say("general.back")}</Link>
      </Button>
      <Problem error={error} again={() => void refetch()} />
      {data && <Receipt receipt={data.receipt} />}
      {!data && !error && <Waiting rows={8} />}
    </div>
  )
}

function Receipt({ receipt }: { readonly receipt: AdminReceiptResponse }) {
  const { say, money, time, number } = useWords()
  const order = useMedusaOrder(receipt.order_id)
  const paidWith = [
    receipt.method_label ?? receipt.carrier,
    receipt.phone_hint && `…${receipt.phone_hint}`,
  ]
  return (
    <Container id="merchant-payments-receipt" className="divide-y p-0">
      <style>{ON_PAPER}</style>
      <div className="flex items-center justify-between px-6 py-4">
        <Heading level="h1">{say("receipt.title")}</Heading>
        <Button className="no-print" onClick={() => window.print()}>
          {say("receipt.print")}
        </Button>
      </div>
      <div className="py-2">
        <Row name={say("receipt.number")}>{receipt.number}</Row>
        <Row name={say("receipt.date")}>{time(receipt.paid_at)}</Row>
        <Row name={say("receipt.order")}>{order && `#${order.display_id}`}</Row>
        <Row name={say("receipt.method")}>{paidWith.filter(Boolean).join(" · ")}</Row>
        <Row name={say("receipt.transaction")}>{receipt.transaction_id}</Row>
      </div>
      <Cells
        heads={[say("receipt.item"), say("receipt.quantity"), say("receipt.amount")]}
        rows={receipt.lines.map((line) => [
          line.name,
          number(line.quantity),
          money(line.amount, receipt.currency),
        ])}
        numbersFrom={1}
      />
      <div className="flex flex-col gap-y-1 px-6 py-4">
        <Sum word="receipt.total" value={money(receipt.total, receipt.currency)} isMain />
        <Sum word="receipt.payerFee" value={money(receipt.payer_fee, receipt.currency)} />
        <Sum word="receipt.payerPaid" value={money(receipt.payer_amount, receipt.payer_currency)} />
      </div>
      {isWebAddress(receipt.link) && (
        <div className="no-print px-6 py-4">
          <a
            className="txt-compact-small text-ui-fg-base underline"
            href={receipt.link}
            target="_blank"
            rel="noreferrer noopener"
          >
            {say("receipt.official")}
          </a>
        </div>
      )}
    </Container>
  )
}

function Sum(props: { readonly word: WordKey; readonly value: string; readonly isMain?: true }) {
  const { say } = useWords()
  const weight = props.isMain ? "plus" : "regular"
  if (props.value === "") return null
  return (
    <div className="flex justify-between">
      <Text size="small" weight={weight}>
        {say(props.word)}
      </Text>
      <Text size="small" weight={weight} className="tabular-nums">
        {props.value}
      </Text>
    </div>
  )
}

/** The address is the gateway's; another scheme could run as a script. */
function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//i.test(link)
}

export default ReceiptPage
