/** The reconciliation of some days: the ledger's current figures, then what was compared. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading } from "@medusajs/ui"
import { Fragment } from "react"
import { useSearchParams } from "react-router-dom"
import { fitted } from "../../../components/fitted"
import { Hint, Problem, Waiting } from "../../../components/parts"
import { Differences } from "../../../components/reconciliation/reconciliation-differences"
import { Figures } from "../../../components/reconciliation/reconciliation-figures"
import { ReconciliationHead } from "../../../components/reconciliation/reconciliation-head"
import { Bridge, Sides } from "../../../components/reconciliation/reconciliation-sums"
import { SectionTabs } from "../../../components/section-tabs"
import type { ReconciliationResponse } from "../../../lib/responses"
import { useShopZone } from "../../../lib/accounts"
import { daysIn } from "../../../lib/period"
import { useReconciliation } from "../../../lib/reconciliation"
import { useWords } from "../../../lib/words"

const Reconciliation = () => {
  const ownZone = useShopZone()
  return (
    <div className="flex flex-col gap-y-3">
      <SectionTabs />
      {ownZone === undefined ? <Waiting rows={4} /> : <Compared ownZone={ownZone} />}
    </div>
  )
}

function Compared({ ownZone }: { readonly ownZone: string }) {
  const { say } = useWords()
  const [search, setSearch] = useSearchParams()
  const days = daysIn(search, ownZone)
  const { data, error, refetch } = useReconciliation(days)
  const isCompared = data !== undefined && data.compared_at !== null
  const isWaiting = data ? data.is_running && !isCompared : !error
  return (
    <>
      <ReconciliationHead
        days={days}
        ownZone={ownZone}
        choose={(chosen) => setSearch({ ...chosen })}
        answer={data}
      />
      <Problem error={error} again={() => void refetch()} />
      {isWaiting && (
        <>
          <div role="status">
            <Hint>{say("reconciliation.comparing")}</Hint>
          </div>
          <Waiting rows={4} />
          <Waiting rows={6} />
        </>
      )}
      {data && !isWaiting && (isCompared || !data.has_stopped) && <SidesOfPeriod answer={data} />}
    </>
  )
}

function SidesOfPeriod({ answer }: { readonly answer: ReconciliationResponse }) {
  const { accounts, figures } = answer
  const isQuiet =
    answer.is_complete &&
    figures.by_operator.length === 0 &&
    accounts.every(({ totals, differences }) => totals.length + differences.length === 0)
  if (isQuiet) return <Nothing />
  return (
    <>
      {figures.by_operator.length > 0 && <Figures figures={figures} period={answer} />}
      <Differences answer={answer} />
      {accounts.map((account) => (
        <Fragment key={account.account_id}>
          <Bridge account={account} answer={answer} />
          <Sides account={account} answer={answer} />
        </Fragment>
      ))}
    </>
  )
}

function Nothing() {
  const { say } = useWords()
  return (
    <Container className="flex flex-col items-center gap-y-1 px-6 py-16" data-testid="nothing">
      <Heading level="h2">{say("reconciliation.nothing")}</Heading>
      <Hint>{say("reconciliation.nothingText")}</Hint>
    </Container>
  )
}

export const config = defineRouteConfig({
  label: "menu.reconciliation",
  translationNs: "merchantPayments",
  rank: 3,
})

export default fitted(Reconciliation)
