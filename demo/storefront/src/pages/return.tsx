/**
 * Where the payment service sends the shopper back to. The address proves nothing: it only names
 * the payment, which is then asked for.
 */
import { Page } from "../components/page"
import { Link, Redirect } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

type ReturnPageProps = { result: string; sessionId: string | null }

export function ReturnPage({ result, sessionId }: ReturnPageProps) {
  const { checkout } = useShop()
  const id = sessionId ?? checkout.remembered()?.sessionId ?? null
  if (id !== null) {
    const back = result === "cancel" ? "?back=cancel" : ""
    return <Redirect to={`/payment/${encodeURIComponent(id)}${back}`} />
  }
  return (
    <Page title={words.payment.welcomeBack} className="narrow">
      <p>{words.payment.ifPaidNothing}</p>
      <Link to="/">{words.shop.back}</Link>
    </Page>
  )
}
