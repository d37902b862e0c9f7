/** All payments. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCardRefresh } from "@medusajs/icons"
import { Container } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useAccounts } from "../../lib/accounts"
import { useWords } from "../../lib/words"
import { useForgottenPasscode } from "../../lib/passcode"
import { COUNT_EVERY_MS } from "../../lib/pauses"
import { useAttentionCount } from "../../lib/queries"
import { OperationsTable } from "../../components/operations-table"
import { Button } from "../../components/parts"
import { SectionTabs } from "../../components/section-tabs"

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

/** The largest count in the menu, where two digits fit. The pages show the whole number. */
const SHOWN_MAX = 99

/** Dark on orange is readable in both themes. */
const COUNT = {
  width: 15,
  height: 15,
  fontSize: 9,
  fontWeight: 600,
  lineHeight: 1,
  background: "#fb923c",
  color: "#18181b",
}

/**
 * The plugin's entry in the menu. Medusa takes a small square icon and no badge, so a count
 * replaces the icon while payments need attention.
 */
function MenuIcon() {
  useForgottenPasscode()
  const { say } = useWords()
  const count = useAttentionCount(COUNT_EVERY_MS)
  if (count === 0) return <CreditCardRefresh />
  return (
    <span
      role="status"
      aria-label={say("attention.count", { count })}
      className="flex items-center justify-center rounded"
      style={COUNT}
    >
      {Math.min(count, SHOWN_MAX)}
    </span>
  )
}

export const config = defineRouteConfig({
  label: "menu.payments",
  translationNs: "merchantPayments",
  icon: MenuIcon,
})

export default Payments
