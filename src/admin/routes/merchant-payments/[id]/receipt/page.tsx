/**
 * The receipt of a payment, for printing or as a PDF. The rest of the dashboard is hidden on paper.
 */
import { Container, Heading, Table, Text } from "@medusajs/ui"
import { Link, useParams } from "react-router-dom"
import { Button, Problem, Row, Waiting } from "../../../../components/parts"
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
        <Row name={say("receipt.date")}>{receipt.paid_at && time(receipt.paid_at)}</Row>
        <Row name={say("receipt.order")}>{order && `#${order.display_id}`}</Row>
        <Row name={say("receipt.method")}>{paidWith.filter(Boolean).join(" · ")}</Row>
        <Row name={say("receipt.transaction")}>{receipt.transaction_id}</Row>
      </div>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("receipt.item")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("receipt.quantity")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("receipt.amount")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {receipt.lines.map((line, index) => (
            <Table.Row key={index}>
              <Table.Cell>{line.name}</Table.Cell>
              <Table.Cell className="text-right">{number(line.quantity)}</Table.Cell>
              <Table.Cell className="text-right">{money(line.amount, receipt.currency)}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
      <div className="flex flex-col gap-y-1 px-6 py-4">
        <Sum name={say("receipt.total")} value={money(receipt.total, receipt.currency)} isMain />
        {receipt.payer_fee !== null && (
          <Sum name={say("receipt.payerFee")} value={money(receipt.payer_fee, receipt.currency)} />
        )}
        {receipt.payer_amount !== null && (
          <Sum
            name={say("receipt.payerPaid")}
            value={money(receipt.payer_amount, receipt.payer_currency)}
          />
        )}
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

function Sum(props: { readonly name: string; readonly value: string; readonly isMain?: boolean }) {
  const weight = props.isMain ? "plus" : "regular"
  return (
    <div className="flex justify-between">
      <Text size="small" weight={weight}>
        {props.name}
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
