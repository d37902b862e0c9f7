/** A prompt on the phone of a customer who is at the counter or on the telephone. */
import { toast } from "@medusajs/ui"
import { useState } from "react"
import { post } from "../lib/api"
import { BASE, useAct } from "../lib/queries"
import type { OrderPaymentsResponse } from "../lib/responses"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { Button, Hint, Problem } from "./parts"

export function AskOnPhone({
  orderId,
  amount,
}: {
  readonly orderId: string
  readonly amount: string
}) {
  const { say } = useWords()
  const [phone, setPhone] = useState("")
  const [isShort, setShort] = useState(false)
  const path = `${BASE}/orders/${encodeURIComponent(orderId)}/prompt`
  const asking = useAct(
    () => post<OrderPaymentsResponse>(path, { phone: phone.trim() }),
    () => {
      setPhone("")
      toast.success(say("prompt.asked"))
    },
  )
  return (
    <form
      className="flex flex-col items-start gap-y-3 px-6"
      data-testid="ask-on-phone"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setShort(phone.trim() === "")
        if (phone.trim() !== "") asking.mutate()
      }}
    >
      <Hint>{say("prompt.text", { amount })}</Hint>
      <TextField
        label={say("prompt.phone")}
        hint={say("prompt.phoneHint")}
        error={isShort && phone === "" ? say("prompt.phoneNeeded") : undefined}
        type="tel"
        value={phone}
        onChange={setPhone}
      />
      <Problem error={asking.error} />
      <Button type="submit" isLoading={asking.isPending}>
        {say("prompt.ask")}
      </Button>
    </form>
  )
}
