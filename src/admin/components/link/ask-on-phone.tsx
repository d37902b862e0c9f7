/** A prompt on the phone of a customer who is at the counter or on the telephone. */
import { toast } from "@medusajs/ui"
import { useState } from "react"
import { ask } from "../../lib/endpoints"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { TextField } from "../fields"
import { Button, Hint, Problem } from "../parts"

export function AskOnPhone(props: {
  readonly orderId: string
  /** The order's number, to begin with; null: the order has none. */
  readonly phone: string | null
  readonly amount: string
  /** Whether asking closes a link that can be paid with now. */
  readonly hasOpenLink: boolean
}) {
  const { say, field } = useWords()
  const [phone, setPhone] = useState(props.phone ?? "")
  const [isShort, setShort] = useState(false)
  const asking = useAct(
    () => ask("POST orders/:id/prompt", { id: props.orderId, body: { phone: phone.trim() } }),
    () => void toast.success(say("prompt.asked")),
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
      <Hint>
        {say("prompt.text", { amount: props.amount })}
        {props.hasOpenLink && ` ${say("prompt.closesLink")}`}
      </Hint>
      <TextField
        {...field("prompt.phone")}
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
