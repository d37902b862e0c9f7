/** What waits for a second admin, who approves or refuses it; who asked for it withdraws it. */
import { usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { answerRequest, useAct, useAdminName, useOwnId, useRequests } from "../lib/queries"
import type { RequestResponse } from "../lib/responses"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { Button, Hint, Problem, Strong } from "./parts"

export function Requests({ isMoneyOut }: { readonly isMoneyOut?: boolean }) {
  const { say } = useWords()
  const { data } = useRequests()
  const requests = data?.requests.filter(({ kind }) => !isMoneyOut || kind !== "REFUND") ?? []
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
  const { say, money, time } = useWords()
  const prompt = usePrompt()
  const navigate = useNavigate()
  const [note, setNote] = useState("")
  const who = useAdminName(request.asked_by) ?? ""
  const isOwn = useOwnId() === request.asked_by
  const approving = useAct(
    () => answerRequest(request, "approve", note),
    ({ payout }) => void (payout && navigate(`/merchant-payments/${payout.id}`)),
  )
  const refusing = useAct(() => answerRequest(request, "refuse", note), "requests.refused")
  const amount = money(request.amount ?? 0, request.currency ?? "")
  const whom = whomOf(request)
  const approve = async () => {
    const isSure = await prompt({
      title: say("requests.sure", { amount }),
      description: say("requests.sureText", { whom, who }),
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
          <Strong>{say(`requests.asks.${request.kind ?? "PAYOUT"}`, { who, amount, whom })}</Strong>
          {request.note && <Hint>{say("requests.reason", { note: request.note })}</Hint>}
          <Hint>{say("waiting.until", { when: time(request.ends_at) })}</Hint>
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

/** Who gets the money, with the three digits that are kept of the number. */
function whomOf({ recipient, to_counterparty_id }: RequestResponse): string {
  if (!recipient) return to_counterparty_id === null ? "" : String(to_counterparty_id)
  return recipient.phone_hint === null
    ? recipient.name
    : `${recipient.name} (…${recipient.phone_hint})`
}
