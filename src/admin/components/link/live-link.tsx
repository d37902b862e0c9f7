/** A payment link that has not ended: its facts, how to hand it over, and how to take it back. */
import { toast, usePrompt } from "@medusajs/ui"
import { Suspense, lazy, useState } from "react"
import { Link as To } from "react-router-dom"
import { ask } from "../../lib/endpoints"
import type { PaymentLink } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Row, copy } from "../parts"
import type { LinkedOrder } from "./share-link"

/** The QR code, whose library is loaded only when an admin opens the code. */
const Code = lazy(async () => ({ default: (await import("qrcode.react")).QRCodeSVG }))
const CODE_SIDE_PX = 168
/** Loaded only where a link is: the rules of phone numbers are large. */
const ShareLink = lazy(() => import("./share-link"))

/** Asks the gateway for the link's address again. */
const resend = (id: string) => ask("POST operations/:id/resend", { id, body: {} })

type Of = {
  readonly link: PaymentLink
  readonly order: LinkedOrder
}

export function LiveLink({ link, order }: Of) {
  const { say, money, time } = useWords()
  const [isCodeShown, setCodeShown] = useState(false)
  const { url } = link
  const again = useAct(() => resend(link.operation_id), "link.againDone")
  const copyLink = async (text: string) => {
    await copy(text)
    toast.success(say("link.copied"))
  }
  return (
    <div className="flex flex-col gap-y-3">
      <div>
        <Row name={say("link.amount")}>{money(link.amount, link.currency)}</Row>
        <Row name={say("link.until")}>{time(link.expires_at)}</Row>
        <Row name={say("link.address")}>{url}</Row>
      </div>
      <Hint className="px-6">{say(`link.${link.state}Text`)}</Hint>
      <div className="flex flex-wrap gap-2 px-6">
        {url && (
          <>
            <Button variant="primary" onClick={() => void copyLink(url)}>
              {say("link.copy")}
            </Button>
            <Button aria-expanded={isCodeShown} onClick={() => setCodeShown((isShown) => !isShown)}>
              {say(isCodeShown ? "link.hideCode" : "link.showCode")}
            </Button>
            <Button isLoading={again.isPending} onClick={() => again.mutate()}>
              {say("link.again")}
            </Button>
          </>
        )}
        <Button asChild>
          <To to={`/merchant-payments/${link.operation_id}`}>{say("order.details")}</To>
        </Button>
        <TakeBack link={link} order={order} />
      </div>
      {url && isCodeShown && (
        <div className="px-6">
          <Suspense fallback={<Hint>{say("general.loading")}</Hint>}>
            {/* Black on white also in the dark theme, because cameras need it. */}
            <span className="inline-flex rounded-lg p-2" style={{ background: "#fff" }}>
              <Code value={url} title={say("link.codeTitle")} size={CODE_SIDE_PX} role="img" />
            </span>
          </Suspense>
        </div>
      )}
      {url && link.state === "open" && (
        <Suspense>
          <ShareLink link={{ ...link, url }} order={order} />
        </Suspense>
      )}
    </div>
  )
}

/** The states in which a link can still be closed before it is paid. */
const CLOSABLE = ["being_made", "open", "being_paid"]

function TakeBack({ link, order }: Of) {
  const { say } = useWords()
  const prompt = usePrompt()
  const cancel = useAct(
    () => ask("POST orders/:id/payment-link/cancel", { id: order.id, body: {} }),
    ({ payment_link: after }) => {
      if (after?.state === "closed") toast.success(say("link.canceled"))
      else if (after?.state === "closing") toast.warning(say("link.closingText"))
      else toast.warning(say("link.notCanceled"))
    },
  )
  if (!CLOSABLE.includes(link.state)) return null
  const confirm = async () => {
    const isSure = await prompt({
      title: say("link.cancelTitle"),
      description: say("link.cancelText"),
      confirmText: say("link.cancel"),
      cancelText: say("link.keep"),
    })
    if (isSure) cancel.mutate()
  }
  return (
    <>
      <Button isLoading={cancel.isPending} onClick={() => void confirm()}>
        {say("link.cancel")}
      </Button>
      <Problem error={cancel.error} />
    </>
  )
}
