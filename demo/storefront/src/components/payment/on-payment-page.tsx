/**
 * The shopper pays on the payment service's own page, or has just come back from it. Coming back
 * proves nothing either way; the store asks the service and this page shows what it says.
 */
import type { PaymentStatus } from "../../api/payment-status"
import { useAct } from "../../hooks/use-act"
import { formatMoney } from "../../money"
import { navigate } from "../../router"
import { useShop } from "../../shop"
import { refusalInWords } from "../../words"
import { Problem } from "../notice"
import { Page, Spinner } from "../page"

type OnPaymentPageProps = {
  status: PaymentStatus
  isBackFromCancel: boolean
  changed(status: PaymentStatus): void
}

export function OnPaymentPage({ status, isBackFromCancel, changed }: OnPaymentPageProps) {
  const { payments, config } = useShop()
  const cancelling = useAct()
  const title = isBackFromCancel ? "Not paid yet" : "Checking your payment"

  const cancel = async () => {
    try {
      changed(await payments.cancel(status.id))
    } catch (error) {
      throw new Error(refusalInWords(error), { cause: error })
    }
    // An order that is placed already is paid from here, a cart from checkout.
    if (config.orderPlacement === "pay_first") navigate("/checkout", { replace: true })
  }

  return (
    <Page title={title} className="narrow">
      <div className="panel centred" data-testid="on-payment-page">
        {status.amount !== null && status.currency !== null && (
          <p className="amount">{formatMoney(status.amount, status.currency)}</p>
        )}
        {isBackFromCancel ? (
          <p>You left the payment page and nothing was charged. Your cart is kept.</p>
        ) : (
          <>
            <Spinner label="Waiting for the payment service…" />
            <p className="muted">
              If you have paid, this takes a few seconds and you need to do nothing. If not, go back
              to the payment page.
            </p>
          </>
        )}
        {status.url && (
          <a href={status.url} className="button" data-testid="to-payment-page">
            Go to the payment page
          </a>
        )}
        <button
          type="button"
          className="button-quiet"
          disabled={cancelling.isBusy}
          onClick={() => void cancelling.run(cancel)}
          data-testid="pay-another-way"
        >
          {cancelling.isBusy ? "One moment…" : "Pay another way"}
        </button>
        <Problem message={cancelling.message} />
      </div>
    </Page>
  )
}
