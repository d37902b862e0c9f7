/**
 * Home: the money that moved, how payments go and what waits, in one look. The list of payments was
 * here once: an address with its filters leads there.
 */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCardRefresh } from "@medusajs/icons"
import { Navigate, useLocation } from "react-router-dom"
import { fitted } from "../../components/fitted"
import { HomeHead } from "../../components/home/home-head"
import { LastDays } from "../../components/home/home-days"
import { MoneyCards } from "../../components/home/home-money"
import { Lately } from "../../components/home/home-lately"
import { Tries } from "../../components/home/home-tries"
import { Problem, Waiting } from "../../components/parts"
import { SectionTabs } from "../../components/section-tabs"
import { LIST } from "../../lib/filters"
import { useOverview } from "../../lib/overview"
import { useForgottenPasscode } from "../../lib/passcode"
import { COUNT_EVERY_MS } from "../../lib/pauses"
import { useAttentionCount } from "../../lib/queries"
import { useWords } from "../../lib/words"

const Home = () => {
  const { search } = useLocation()
  return search === "" ? <Overview /> : <Navigate replace to={`${LIST}${search}`} />
}

function Overview() {
  const { data, error, refetch } = useOverview()
  return (
    <div className="flex flex-col gap-y-3">
      <SectionTabs />
      <Problem error={error} again={() => void refetch()} />
      {!data && !error && (
        <>
          <Waiting rows={2} />
          <Waiting rows={6} />
        </>
      )}
      {data && (
        <>
          <HomeHead overview={data} />
          <MoneyCards periods={data.periods} />
          <LastDays days={data.days} />
          <Lately lately={data.lately} />
          <Tries tries={data.tries} lately={data.lately} />
        </>
      )}
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

const FittedIcon = fitted(MenuIcon, () => <CreditCardRefresh />)

export const config = defineRouteConfig({
  label: "menu.payments",
  translationNs: "merchantPayments",
  icon: FittedIcon,
})

export default fitted(Home)
