/** All payments. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { fitted } from "../../../components/fitted"
import { useAccounts } from "../../../lib/accounts"
import { useWords } from "../../../lib/words"
import { OperationsTable } from "../../../components/operations-table"
import { Button } from "../../../components/parts"
import { SectionTabs } from "../../../components/section-tabs"

const Payments = () => {
  const { say } = useWords()
  const { data } = useAccounts()
  const hasAccount = data?.accounts.length !== 0
  return (
    <div className="flex flex-col gap-y-3">
      <SectionTabs />
      <Container className="p-0">
        <OperationsTable
          heading={say("list.title")}
          subHeading={say("list.subtitle")}
          empty={{
            heading: say("list.empty"),
            description: say(hasAccount ? "list.emptyText" : "list.emptyNoAccount"),
            action: (
              <Button asChild>
                <Link to="/settings/merchant-payments">
                  {say(hasAccount ? "list.checkSetup" : "list.setUp")}
                </Link>
              </Button>
            ),
          }}
        />
      </Container>
    </div>
  )
}

export const config = defineRouteConfig({
  label: "list.all",
  translationNs: "merchantPayments",
  rank: 1,
})

export default fitted(Payments)
