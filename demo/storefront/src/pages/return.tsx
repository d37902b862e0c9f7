/**
 * Where the payment service sends the shopper back to. The address proves nothing: it only names
 * the payment, which is then asked for.
 */
import { Page } from "../components/page"
import { rememberedPayment } from "../memory"
import { Link, Redirect } from "../router"

type ReturnPageProps = { result: string; sessionId: string | null }

export function ReturnPage({ result, sessionId }: ReturnPageProps) {
  const id = sessionId ?? rememberedPayment.read()
  if (id !== null) {
    const back = result === "cancel" ? "?back=cancel" : ""
    return <Redirect to={`/payment/${encodeURIComponent(id)}${back}`} />
  }
  return (
    <Page title="Welcome back" className="narrow">
      <p>If you have paid, your order is being made. There is nothing else to do.</p>
      <Link to="/">Back to the shop</Link>
    </Page>
  )
}
