/** The main facts of a payment, and the button that checks it at the gateway. */
import { ArrowPath } from "@medusajs/icons"
import { Alert, Container, Heading, Text, clx, toast } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { OperationDetail, OperationResponse, OperationSummary } from "../lib/responses"
import { act, useAct } from "../lib/queries"
import { kindOf, operatorName, signedAmount } from "../lib/operation-state"
import { stepsOf } from "../lib/progress"
import { useWords } from "../lib/words"
import { whyTexts } from "../lib/decision"
import { payerName } from "./operation-facts"
import { Button, Hint, Problem, State } from "./parts"

const WORDS = { maxHeight: 100, overflowWrap: "anywhere" } as const

export function OperationHead(props: {
  readonly operation: OperationDetail
  readonly onAnswer: (answer: OperationResponse) => void
}) {
  const { operation, onAnswer } = props
  const words = useWords()
  const { say, money } = words
  const check = useCheck(operation, onAnswer)
  const asking = operation.actions.find(({ action }) => action === "check")
  const why = whyTexts(words, operation)
  const about = [payerName(operation), kindOf(say, operation), operatorName(operation)]
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Heading level="h1" className="tabular-nums">
              {money(signedAmount(operation), operation.currency)}
            </Heading>
            <State operation={operation} />
          </div>
          <Hint>{about.filter(Boolean).join(" · ")}</Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          {operation.order_id && (
            <Button asChild>
              <Link to={`/orders/${operation.order_id}`}>{say("list.openOrder")}</Link>
            </Button>
          )}
          {operation.parent_id && (
            <Button asChild>
              <Link to={`/merchant-payments/${operation.parent_id}`}>
                {say("detail.toPayment")}
              </Link>
            </Button>
          )}
          <Button
            isLoading={check.isPending}
            disabled={asking?.is_possible !== true}
            onClick={() => check.mutate()}
          >
            <ArrowPath />
            {say("detail.checkNow")}
          </Button>
        </div>
      </div>
      <Progress operation={operation} />
      {why.length > 0 && (
        <Alert variant={operation.attention ? "warning" : "info"} data-testid="reason">
          {why.map((text) => (
            <span key={text} className="block">
              {text}
            </span>
          ))}
        </Alert>
      )}
      {!isSettled(operation) && <GatewayWords operation={operation} />}
      <Problem error={check.error} />
    </Container>
  )
}

/** What the gateway said of a try that failed, or of a wait, says nothing about money that came. */
const isSettled = ({ state, attention }: OperationDetail) =>
  state === "completed" && attention === null

/** Gateway messages may have any length, script and direction; they must not change the layout. */
function GatewayWords({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const said = [operation.messages["gateway"], operation.messages["wallet"]].filter(isText)
  if (said.length === 0) return null
  return (
    <div data-testid="gateway-words">
      <Text size="xsmall" className="text-ui-fg-subtle">
        {say("detail.gatewayWords")} · <i>{say("detail.gatewayLanguage")}</i>
      </Text>
      {[...new Set(said)].map((text) => (
        // Focusable, so that it can be scrolled by keyboard.
        <Text key={text} size="small" className="overflow-y-auto" style={WORDS} tabIndex={0}>
          {/* In HTML an empty `lang` means that the language is not known. */}
          <bdi lang="">{text}</bdi>
        </Text>
      ))}
    </div>
  )
}

const isText = (text: unknown): text is string => typeof text === "string" && text.trim() !== ""

/** Checks the operation at the gateway and shows the result in a toast. */
export function useCheck(
  { id, checked_at: before }: Pick<OperationSummary, "id" | "checked_at">,
  onAnswer?: (answer: OperationResponse) => void,
) {
  const { say } = useWords()
  return useAct(
    () => act.check(id),
    (answer) => {
      onAnswer?.(answer)
      // Only an answer of the gateway changes the time of the last check.
      const isAnswered = answer.operation.checked_at !== before
      const kind = answer.gateway?.kind ?? (isAnswered ? "reads" : "unanswered")
      if (kind === "reads") toast.success(say("detail.checked"))
      else if (kind === "not_asked") toast.info(say("detail.checkedNothing"))
      else toast.warning(say("detail.checkedUnanswered"))
    },
  )
}

const BAR = { height: 4, marginBottom: 6 }
const STEP_WIDTH = { flex: "1 1 130px" }

/** How far a payment has come: created, sent, approved, recorded; or where it ended instead. */
function Progress({ operation }: { readonly operation: OperationDetail }) {
  const { say, time } = useWords()
  return (
    <ol
      className="flex flex-wrap gap-x-4 gap-y-3"
      data-testid="progress"
      aria-label={say("progress.title")}
    >
      {stepsOf(say, operation).map(({ text, at, isBad }) => (
        <li key={text} className="flex flex-col" style={STEP_WIDTH}>
          <span className={clx("rounded-full", colourOf(at, isBad))} style={BAR} aria-hidden />
          <Text size="small" weight="plus" className={at ? "" : "text-ui-fg-subtle"}>
            {text}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle tabular-nums">
            {at ? time(at) : say("progress.notYet")}
          </Text>
        </li>
      ))}
    </ol>
  )
}

function colourOf(at: string | null, isBad?: true): string {
  if (at === null) return "bg-ui-border-base"
  return isBad ? "bg-ui-tag-orange-icon" : "bg-ui-tag-green-icon"
}
