/** The shop's time zone, the sheet, what waits for a decision, and the gateway's health in a line. */
import { Container, Heading, StatusBadge } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { useSheet } from "../../lib/overview"
import type { HomeResponse, Waiting } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { CheckText } from "../accounts/check-lines"
import { Hint, Problem } from "../parts"
import { SheetMenu } from "./sheet-menu"

const COLOURS = {
  ok: "green",
  note: "blue",
  warning: "orange",
  failed: "red",
  skipped: "grey",
} as const

export function HomeHead({ overview }: { readonly overview: HomeResponse }) {
  const { say, shortTime } = useWords()
  const { at, time_zone: zone, gateway, waiting, periods } = overview
  const sheet = useSheet()
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-start justify-between gap-2 px-6 py-4">
        <div>
          <Heading level="h1">{say("home.title")}</Heading>
          <Hint>{say("home.subtitle", { when: shortTime(at), zone })}</Hint>
        </div>
        <SheetMenu sheet={sheet} periods={periods} zone={zone} />
      </div>
      <Problem isInset error={sheet.error} />
      <Line
        testId="waiting"
        badge={
          <StatusBadge color={waiting.count > 0 ? "orange" : "grey"} className="text-nowrap">
            {say("home.waiting")}
          </StatusBadge>
        }
      >
        {waiting.count > 0 ? <Cases waiting={waiting} /> : <Hint>{say("home.nothingWaits")}</Hint>}
      </Line>
      <Line
        testId="gateway"
        badge={
          <StatusBadge color={COLOURS[gateway.status]} className="text-nowrap">
            {say("home.gateway")}
          </StatusBadge>
        }
      >
        <Link to="/settings/merchant-payments" className="min-w-0">
          <Hint>
            <CheckText {...gateway} />
          </Hint>
        </Link>
      </Line>
    </Container>
  )
}

function Line(props: {
  readonly testId: string
  readonly badge: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 py-3" data-testid={props.testId}>
      {props.badge}
      {props.children}
    </div>
  )
}

function Cases({ waiting: { count, sums } }: { readonly waiting: Waiting }) {
  const { say, exact } = useWords()
  const amounts = sums.map(({ amount, currency }) => exact(amount, currency)).join(" · ")
  return (
    <Link to="/merchant-payments/attention" className="txt-compact-small-plus underline">
      {say("home.cases", { count, amounts })}
    </Link>
  )
}
