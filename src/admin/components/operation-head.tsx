/** The main facts of a payment, and the button that checks it at the gateway. */
import { ArrowPath } from "@medusajs/icons"
import { Alert, Button, Container, Heading, Text, toast } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { OperationResponse, OperationDetail, OperationSummary } from "../lib/responses"
import { act, useAct } from "../lib/queries"
import { useWords } from "../lib/words"
import { attentionText, kindOf } from "./operations-table"
import { Problem, State } from "./parts"

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
  const why = attentionText(words, operation)
  const about = [
    kindOf(say, operation),
    operation.operator?.payment_method,
    operation.operator?.carrier,
    operation.phone_hint && `…${operation.phone_hint}`,
  ].filter(Boolean)
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Heading level="h1" className="tabular-nums">
              {money(operation.amount, operation.currency)}
            </Heading>
            <State operation={operation} />
          </div>
          <Text size="small" className="text-ui-fg-subtle">
            {about.join(" · ")}
          </Text>
        </div>
        <div className="flex flex-wrap gap-2">
          {operation.order_id && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`/orders/${operation.order_id}`}>{say("list.openOrder")}</Link>
            </Button>
          )}
          {operation.parent_id && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`/merchant-payments/${operation.parent_id}`}>
                {say("detail.toPayment")}
              </Link>
            </Button>
          )}
          <Button
            size="small"
            variant="secondary"
            isLoading={check.isPending}
            disabled={asking?.is_possible !== true}
            onClick={() => check.mutate()}
          >
            <ArrowPath />
            {say("detail.checkNow")}
          </Button>
        </div>
      </div>
      {why && (
        <Alert variant={operation.attention ? "warning" : "info"} data-testid="reason">
          {why}
        </Alert>
      )}
      <GatewayWords operation={operation} />
      <Problem error={check.error} />
    </Container>
  )
}

/** A foreign text of any length, script and direction; it must not change the page's layout. */
function GatewayWords({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const said = [operation.messages["gateway"], operation.messages["wallet"]].filter(isText)
  if (said.length === 0) return null
  return (
    <div data-testid="gateway-words">
      <Text size="xsmall" className="text-ui-fg-subtle">
        {say("detail.gatewayWords")}
      </Text>
      {[...new Set(said)].map((text) => (
        // Focusable, so that it can be scrolled by keyboard.
        <Text key={text} size="small" className="overflow-y-auto" style={WORDS} tabIndex={0}>
          <bdi>{text}</bdi>
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
  return useAct<void, OperationResponse>(
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
