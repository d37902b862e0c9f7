/** Ids, times and events, for whoever has to look a payment up elsewhere; folded at first. */
import { clx, Container } from "@medusajs/ui"
import { useState } from "react"
import type { OperationDetail } from "../lib/responses"
import { useWords } from "../lib/words"
import { Ids, Times } from "./operation-facts"
import { Timeline } from "./timeline"

const SUMMARY =
  "h2-core focus-visible:shadow-borders-focus cursor-pointer rounded-lg px-6 py-4 outline-none"

export function Technical({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <Container className="p-0">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={clx(SUMMARY, "text-ui-fg-base")}>{say("detail.technical")}</summary>
        {isOpen && (
          <div className="divide-y border-t">
            <Timeline operation={operation} />
            <Times operation={operation} />
            <Ids operation={operation} />
          </div>
        )}
      </details>
    </Container>
  )
}
