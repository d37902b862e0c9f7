/** What needs a decision, one line a case: what differs, whose it is, how old, and its amount. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Text } from "@medusajs/ui"
import { Link, useSearchParams } from "react-router-dom"
import { fitted } from "../../../components/fitted"
import type { OperationSummary } from "../../../lib/responses"
import { amountOfCase, caseText } from "../../../lib/decision"
import { PAGE_SIZE } from "../../../lib/filters"
import { useOperations, useRequests } from "../../../lib/queries"
import { useWords } from "../../../lib/words"
import { kindOf } from "../../../lib/operation-state"
import { Requests } from "../../../components/requests"
import { SectionTabs } from "../../../components/section-tabs"
import { Button, Hint, Problem, State, Strong, Waiting } from "../../../components/parts"

const Attention = () => (
  <div className="flex flex-col gap-y-3">
    <SectionTabs />
    <Container className="p-0">
      <AttentionList />
    </Container>
  </div>
)

function AttentionList() {
  const { say } = useWords()
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number(search.get("page")) || 1)
  const offset = (page - 1) * PAGE_SIZE
  const query = { needs_attention: true, limit: PAGE_SIZE, offset }
  const { data, error, refetch } = useOperations(query)
  const { data: asked } = useRequests()
  if (!data && !error) return <Waiting />
  const turn = (to: number) => () => setSearch({ page: String(to) })
  const last = Math.ceil((data?.count ?? 0) / PAGE_SIZE)
  return (
    <>
      <div className="px-6 py-4">
        <Heading level="h1">{say("attention.title")}</Heading>
        <Hint>{say("attention.subtitle")}</Hint>
      </div>
      <Requests />
      {error && <Problem error={error} again={() => void refetch()} isInset />}
      {data?.operations.length === 0 && asked?.requests.length === 0 && (
        <div className="flex flex-col items-center gap-y-1 px-6 py-16 text-center">
          <Strong>{say("attention.empty")}</Strong>
          <Hint>{say("attention.emptyText")}</Hint>
        </div>
      )}
      <ul className="divide-y" data-testid="cases">
        {data?.operations.map((one) => (
          <OneCase key={one.id} operation={one} />
        ))}
      </ul>
      {last > 1 && (
        <div className="flex justify-end gap-x-2 px-6 py-3">
          <Button disabled={page === 1} onClick={turn(page - 1)}>
            {say("general.previous")}
          </Button>
          <Button disabled={page >= last} onClick={turn(page + 1)}>
            {say("general.next")}
          </Button>
        </div>
      )}
    </>
  )
}

function OneCase({ operation }: { readonly operation: OperationSummary }) {
  const words = useWords()
  const { say, money, ago } = words
  const { customer, order_number, currency, created_at, phone_hint } = operation
  const about = [
    customer?.name ?? customer?.email,
    order_number && say("review.order", { number: order_number }),
    kindOf(say, operation),
    phone_hint && `…${phone_hint}`,
    ago(created_at),
  ]
  return (
    <li>
      <Link
        to={`/merchant-payments/${operation.id}`}
        className="hover:bg-ui-bg-base-hover flex items-start justify-between gap-x-4 px-6 py-3"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-y-0.5">
          <Strong>{caseText(words, operation)}</Strong>
          <Text size="small" className="text-ui-fg-subtle">
            {about.filter(Boolean).join(" · ")}
          </Text>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-y-1">
          <Strong className="text-nowrap tabular-nums">
            {money(amountOfCase(operation), currency)}
          </Strong>
          <State operation={operation} />
        </span>
      </Link>
    </li>
  )
}

export const config = defineRouteConfig({
  label: "menu.attention",
  translationNs: "merchantPayments",
  rank: 2,
})

export default fitted(Attention)
