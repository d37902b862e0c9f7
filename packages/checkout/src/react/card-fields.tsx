/** The place of the card processor's own fields. What is typed there the kit never sees. */
import { useEffect, useId, useRef, type ReactNode } from "react"
import type { CardAdapter } from "../card.js"
import { useKit } from "./context.js"

export function CardFields(props: { readonly card: CardAdapter; readonly fields?: ReactNode }) {
  const { say } = useKit()
  const { card, fields } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => (place.current ? card.mount?.(place.current) : undefined), [card])
  return (
    <div className="mp-field" role="group" aria-labelledby={id} data-testid="card-fields">
      <span id={id}>{say("method.card")}</span>
      {fields ?? <div ref={place} />}
      <p className="mp-hint">{say("form.card.hint")}</p>
    </div>
  )
}
