/** A labelled input, with its hint and its problem tied to it for screen readers. */
import { useId, type InputHTMLAttributes } from "react"
import { words } from "../words"

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string | null
  problem?: string | null
}

export function Field({ label, hint = null, problem = null, ...input }: FieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!input.required && <span className="muted">{words.common.optional}</span>}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={problem !== null}
        aria-describedby={note === null ? undefined : `${id}-note`}
      />
      <p
        id={`${id}-note`}
        className={problem === null ? "field-note" : "field-note field-problem"}
        aria-live="polite"
      >
        {note}
      </p>
    </div>
  )
}
