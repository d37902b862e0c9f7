/**
 * The receipt of a payment's order: the page that the customer has, to print or to keep as a PDF, and
 * the link to it.
 */
import { Container, Heading, toast, usePrompt } from "@medusajs/ui"
import { useRef, useState } from "react"
import { Link, useParams } from "react-router-dom"
import { fitted } from "../../../../components/fitted"
import { Button, copy, Hint, Problem, Waiting } from "../../../../components/parts"
import { act, useAct, useReceiptPage } from "../../../../lib/queries"
import { useWords } from "../../../../lib/words"

/** Room for the browser's own rounding: without it a scroll bar shows. */
const SPARE_PX = 8

const ReceiptPage = () => {
  const { id = "" } = useParams()
  const { say, language } = useWords()
  const { data, error, refetch } = useReceiptPage(id, language)
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = data?.receipt_page
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-y-3">
      <Button variant="transparent" className="self-start" asChild>
        <Link to={`/merchant-payments/${id}`}>{say("general.back")}</Link>
      </Button>
      <Problem error={error} again={() => void refetch()} />
      {shown && (
        <Container className="divide-y p-0">
          <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
            <Heading level="h1">{say("receipt.title")}</Heading>
            <Button onClick={() => frame.current?.contentWindow?.print()}>
              {say("receipt.print")}
            </Button>
          </div>
          <CustomersLink id={id} url={shown.receipt_url} />
          <Paper html={shown.html} frame={frame} />
        </Container>
      )}
      {!data && !error && <Waiting rows={8} />}
    </div>
  )
}

/**
 * The page in a frame of its own, in which no script runs. It is of the admin's origin, because only
 * then the browser lets the admin print it and measure it.
 */
function Paper(props: {
  readonly html: string
  readonly frame: React.RefObject<HTMLIFrameElement | null>
}) {
  const { say } = useWords()
  const [height, setHeight] = useState(800)
  const measure = () => {
    const page = props.frame.current?.contentDocument?.documentElement
    if (page) setHeight(page.scrollHeight + SPARE_PX)
  }
  return (
    <iframe
      ref={props.frame as React.RefObject<HTMLIFrameElement>}
      title={say("receipt.title")}
      sandbox="allow-same-origin allow-modals allow-popups"
      srcDoc={props.html}
      onLoad={measure}
      className="w-full"
      style={{ height }}
      data-testid="receipt-page"
    />
  )
}

function CustomersLink({ id, url }: { readonly id: string; readonly url: string | null }) {
  const { say } = useWords()
  const prompt = usePrompt()
  const renew = useAct(() => act.renewReceiptLink(id), "receipt.renewed")
  const ask = async () => {
    const isSure = await prompt({
      title: say("receipt.renewTitle"),
      description: say("receipt.renewText"),
      confirmText: say("receipt.renew"),
      cancelText: say("general.cancel"),
    })
    if (isSure) renew.mutate()
  }
  if (url === null) return <Hint className="px-6 py-4">{say("receipt.noLink")}</Hint>
  return (
    <div className="flex flex-col gap-y-2 px-6 py-4">
      <Hint>{say("receipt.linkText")}</Hint>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          onClick={() => void copy(url).then(() => toast.success(say("receipt.linkCopied")))}
        >
          {say("receipt.copyLink")}
        </Button>
        <Button variant="secondary" isLoading={renew.isPending} onClick={() => void ask()}>
          {say("receipt.renew")}
        </Button>
      </div>
    </div>
  )
}

export default fitted(ReceiptPage)
