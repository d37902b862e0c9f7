/** Settings: accounts, the setup check, and the regions. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCardRefresh } from "@medusajs/icons"
import { Container, Heading } from "@medusajs/ui"
import { Accounts } from "../../../components/accounts/accounts"
import { Hint } from "../../../components/parts"
import { Regions } from "../../../components/accounts/regions"
import { SetupCheck } from "../../../components/accounts/setup-check"
import { useWords } from "../../../lib/words"

const Settings = () => {
  const { say } = useWords()
  return (
    <div className="flex flex-col gap-y-3">
      <Container className="px-6 py-4">
        <Heading level="h1">{say("settings.title")}</Heading>
        <Hint>{say("settings.subtitle")}</Hint>
      </Container>
      <Accounts />
      <Regions />
      <SetupCheck />
    </div>
  )
}

export const config = defineRouteConfig({
  label: "menu.payments",
  translationNs: "merchantPayments",
  icon: CreditCardRefresh,
})

export default Settings
