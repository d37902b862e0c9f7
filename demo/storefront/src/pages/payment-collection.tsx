/**
 * The address that Medusa's admin copies as "Copy payment link": one payment collection of an order
 * that is placed. What is open is paid on the payment page; a link that the shop has sent for the
 * same money leads there, too, because the store gives back the payment that is under way.
 */
import { problemText, Refused } from "medusa-merchant-payments-checkout"
import { useKit } from "medusa-merchant-payments-checkout/react"
import { useCallback, useState, type FormEvent } from "react"
import type { Order } from "../api/store"
import { Field } from "../components/field"
import { Lines } from "../components/lines"
import { Notice, Problem } from "../components/notice"
import { Page, Wait } from "../components/page"
import { showPayment } from "../components/pay-form"
import { Totals } from "../components/totals"
import { useAct } from "../hooks/use-act"
import { useLoaded } from "../hooks/use-loaded"
import { rememberedOrder } from "../memory"
import { formatMoney } from "../money"
import { Link } from "../router"
import { RETURN_TO, useShop } from "../shop"
import { words } from "../words"

const PAYMENT_PAGE = "pp_hosted-checkout_merchant"
const ABOUT_PHONE = ["invalid_phone", "phone_required", "operator_unknown"]
const PAYABLE = ["not_paid", "awaiting"]

type Collection = { id: string; amount: number; status: string }
type Of = { order: Order; collection: Collection }

type PageProps = { collectionId: string; orderId: string | null }

export function PaymentCollectionPage({ collectionId, orderId }: PageProps) {
  const { store } = useShop()
  const load = useCallback(
    async () => (orderId === null ? null : (await store.order.retrieve(orderId)).order),
    [store, orderId],
  )
  const [order, again] = useLoaded(load)
  if (order.kind !== "ready") {
    return (
      <Page title={words.link.title} className="narrow">
        <Wait state={order} label={words.order.fetching} again={again} />
      </Page>
    )
  }
  const collection = order.value?.payment_collections?.find(({ id }) => id === collectionId)
  if (order.value === null || collection === undefined) return <UnknownLink />
  const open = order.value.summary.pending_difference
  if (order.value.status === "canceled" || !PAYABLE.includes(collection.status) || open <= 0) {
    return <NothingToPay order={order.value} />
  }
  return <OpenAmount order={order.value} collection={collection} />
}

function OpenAmount({ order, collection }: Of) {
  const { checkout } = useShop()
  const { say } = useKit()
  const paying = useAct()
  const [phone, setPhone] = useState<string | null>(null)
  const [phoneProblem, setPhoneProblem] = useState<string | null>(null)
  const amount = formatMoney(collection.amount, order.currency_code)

  const attempt = async () => {
    try {
      const request = {
        ...(phone !== null && { phone }),
        success_url: RETURN_TO.success,
        cancel_url: RETURN_TO.cancel,
      }
      showPayment(await checkout.payCollection(collection.id, PAYMENT_PAGE, request))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (!ABOUT_PHONE.includes(error.code)) throw new Error(problemText(say, error))
      setPhone((before) => before ?? "")
      setPhoneProblem(problemText(say, error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setPhoneProblem(null)
    void paying.run(attempt)
  }
  return (
    <Page title={words.link.title} className="narrow">
      <p>{words.link.open(order.display_id ?? 0, amount)}</p>
      <section className="panel" aria-label={words.order.bought}>
        <Lines lines={order.items ?? []} currency={order.currency_code} />
        <Totals of={order} hasShipping />
      </section>
      <form className="form" onSubmit={submit} data-testid="payment-collection">
        {phone !== null && (
          <Field
            label={say("form.phone.contact")}
            name="payer_phone"
            type="tel"
            autoComplete="tel"
            value={phone}
            onChange={(event) => {
              setPhone(event.target.value)
              setPhoneProblem(null)
            }}
            problem={phoneProblem}
            required
          />
        )}
        <Problem message={paying.message} />
        <button type="submit" className="button" disabled={paying.isBusy} data-testid="pay">
          {paying.isBusy ? words.common.moment : say("form.pay", { amount })}
        </button>
        <p className="muted">{say("method.hosted.hint")}</p>
      </form>
    </Page>
  )
}

function NothingToPay({ order }: { order: Order }) {
  return (
    <Page title={words.link.nothing} className="narrow">
      <Notice tone="information">
        {(order.status === "canceled" ? words.link.canceled : words.link.paid)(
          order.display_id ?? 0,
        )}
      </Notice>
      {rememberedOrder.read()?.orderId === order.id && (
        <Link to={`/order/${order.id}`}>{words.link.show}</Link>
      )}
    </Page>
  )
}

function UnknownLink() {
  return (
    <Page title={words.link.incomplete} className="narrow">
      <p>{words.link.incompleteText}</p>
      <Link to="/">{words.shop.back}</Link>
    </Page>
  )
}
