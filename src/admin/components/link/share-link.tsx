/**
 * Hands a payment link to the customer: a message with shop, order, amount, end and address, in the
 * customer's language, which a messenger of the admin's own sends. The store sends nothing.
 */
import { useStore } from "@medusajs/dashboard/hooks"
import { toast } from "@medusajs/ui"
import { useState } from "react"
import { useShopZone } from "../../lib/accounts"
import type { PaymentLink } from "../../lib/responses"
import {
  CUSTOMER_LANGUAGES,
  customerPhone,
  messageIn,
  messengers,
  type CustomerLanguage,
  type Message,
} from "../../lib/share-text"
import { useWords } from "../../lib/words"
import { asOptions, ChoiceField } from "../fields"
import { Button, Hint, copy } from "../parts"

/** What of an order goes into the message, and to whom it goes. */
export type LinkedOrder = {
  readonly id: string
  readonly number: string | null
  readonly phone: string | null
  readonly email: string | null
}

/** Each by its own name. */
const NAMES = { en: "English", fr: "Français", rw: "Ikinyarwanda" } as const

export default function ShareLink(props: {
  readonly link: PaymentLink & { readonly url: string }
  readonly order: LinkedOrder
}) {
  const { link, order } = props
  const { say, field, language } = useWords()
  const [spoken, setSpoken] = useState<CustomerLanguage>(language)
  const { store } = useStore(undefined, { retry: false, staleTime: Infinity })
  const timeZone = useShopZone()
  const message = messageIn(spoken, {
    shop: store?.name ?? null,
    order: order.number,
    amount: link.amount,
    currency: link.currency,
    until: link.expires_at,
    timeZone,
    url: link.url,
  })
  const phone = customerPhone(order.phone ?? "", link.currency)
  const to = messengers(message, { phone, email: order.email })
  const copyText = async () => {
    await copy(message.text)
    toast.success(say("share.copied"))
  }
  return (
    <div className="flex flex-col gap-y-3 px-6" data-testid="share-link">
      <ChoiceField
        {...field("share.language")}
        value={spoken}
        options={asOptions(CUSTOMER_LANGUAGES, (one) => NAMES[one])}
        onChange={setSpoken}
      />
      <Hint className="break-words">
        <bdi>{message.text}</bdi>
      </Hint>
      <div className="flex flex-wrap gap-2">
        <Messenger to={to.whatsapp} name="WhatsApp" isElsewhere />
        <Messenger to={to.sms} name={say("share.sms")} />
        <Messenger to={to.email} name={say("share.email")} />
        <Button onClick={() => void copyText()}>{say("share.copy")}</Button>
        <BySystem message={message} />
      </div>
      <Hint>{say(phone ? "share.toPhone" : "share.noPhone", { phone: phone ?? "" })}</Hint>
    </div>
  )
}

function Messenger(props: {
  readonly to: string
  readonly name: string
  /** Opens beside the page; the others open a program of the device. */
  readonly isElsewhere?: boolean
}) {
  return (
    <Button asChild>
      <a href={props.to} {...(props.isElsewhere && { target: "_blank", rel: "noreferrer" })}>
        {props.name}
      </a>
    </Button>
  )
}

/** The device's own sheet, with all its messengers, where the browser has it. */
function BySystem({ message }: { readonly message: Message }) {
  const { say } = useWords()
  if (typeof navigator.share !== "function") return null
  const share = () => {
    // Rejects where the sheet is closed again, which is no error.
    void navigator.share({ title: message.title, text: message.text }).catch(() => undefined)
  }
  return <Button onClick={share}>{say("share.other")}</Button>
}
