/** What waits for a second admin, who approves or refuses it; who asked for it withdraws it. */
import { toast, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { Link, useNavigate } from "react-router-dom"
import { answerRequest, useAct, useAdminName, useOwnId, useRequests } from "../lib/queries"
import type { RequestResponse, RequestsResponse } from "../lib/responses"
import { useWords } from "../lib/words"
import { ChangeLines } from "./accounts/account-events"
import { TextField } from "./fields"
import { Button, Hint, Problem, Strong } from "./parts"

/** @param of the requests that are shown; absent: all */
export function Requests({ of = () => true }: { of?: (request: RequestResponse) => boolean }) {
  const { data } = useRequests()
  return <RequestList requests={data?.requests.filter(of) ?? []} />
}

export function RequestList({ requests }: RequestsResponse) {
  const { say } = useWords()
  if (requests.length === 0) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4" data-testid="requests">
      <Strong>{say("requests.title")}</Strong>
      <ul className="flex flex-col gap-y-6">
        {requests.map((request) => (
          <OneRequest key={request.id} request={request} />
        ))}
      </ul>
    </div>
  )
}

function OneRequest({ request }: { readonly request: RequestResponse }) {
  const { say, time } = useWords()
  const prompt = usePrompt()
  const navigate = useNavigate()
  const [note, setNote] = useState("")
  const who = useAdminName(request.asked_by)
  const isOwn = useOwnId() === request.asked_by
  const texts = useTexts(request, who ?? "")
  const approving = useAct(
    () => answerRequest(request, "approve", note),
    ({ request: made }) => {
      if (request.change) toast.success(say("requests.saved"))
      else void navigate(`/merchant-payments/${made?.operation_id ?? ""}`)
    },
  )
  const refusing = useAct(
    () => answerRequest(request, "refuse", note),
    request.change ? "requests.unchanged" : "requests.refused",
  )
  // Who approves has to read whom they agree with.
  if (who === null) return null
  const approve = async () => {
    const isSure = await prompt({
      title: texts.sure,
      description: texts.sureText,
      confirmText: say("requests.approve"),
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) approving.mutate()
  }
  return (
    <li className="flex flex-col gap-y-3" data-testid="request">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col">
          <Strong>{texts.title}</Strong>
          {request.change && <ChangeLines changes={request.change.changes} />}
          {request.payment_id && (
            <Link
              to={`/merchant-payments/${request.payment_id}`}
              className="txt-compact-small text-ui-fg-interactive"
            >
              {say("requests.payment")}
            </Link>
          )}
          {request.note && <Hint>{say("requests.reason", { note: request.note })}</Hint>}
          <Hint>{say("requests.until", { when: time(request.ends_at) })}</Hint>
          {isOwn && <Hint>{say("requests.own")}</Hint>}
        </div>
        <div className="flex flex-wrap gap-2">
          {!isOwn && (
            <Button
              variant="primary"
              isLoading={approving.isPending}
              onClick={() => void approve()}
            >
              {say("requests.approve")}
            </Button>
          )}
          <Button isLoading={refusing.isPending} onClick={() => refusing.mutate()}>
            {say(isOwn ? "requests.withdraw" : "requests.refuse")}
          </Button>
        </div>
      </div>
      <TextField label={say("requests.note")} value={note} onChange={setNote} />
      <Problem error={approving.error ?? refusing.error} />
    </li>
  )
}

/** What is asked for, and what an approval does. */
function useTexts({ change, kind, amount: asked, ...request }: RequestResponse, who: string) {
  const { say, money } = useWords()
  if (change) {
    const title = say(`requests.account.${change.name}`, { who, label: change.label })
    return { title, sure: title, sureText: say("requests.sureText.account") }
  }
  const amount = money(asked ?? 0, request.currency ?? "")
  const whom = whomOf(request)
  const way = kind === "REFUND" ? "refund" : "out"
  return {
    title: say(`requests.asks.${kind ?? "PAYOUT"}`, { who, amount, whom }),
    sure: say("requests.sure", { amount }),
    sureText: say(`requests.sureText.${way}`, { whom, who }),
  }
}

/** Who gets the money, with the three digits that are kept of the number. */
function whomOf({
  recipient,
  to_counterparty_id,
}: Pick<RequestResponse, "recipient" | "to_counterparty_id">): string {
  if (!recipient) return to_counterparty_id === null ? "" : String(to_counterparty_id)
  return recipient.phone_hint === null
    ? recipient.name
    : `${recipient.name} (…${recipient.phone_hint})`
}
