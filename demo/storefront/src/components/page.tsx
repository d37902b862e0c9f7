/**
 * The frame of every page: its heading takes the focus when the page opens, so that a screen reader
 * and the keyboard start where the eye does.
 */
import { useEffect, useRef, type ReactNode } from "react"
import type { Loaded } from "../hooks/use-loaded"
import { words } from "../words"

type PageProps = { title: string; className?: string; before?: ReactNode; children: ReactNode }

export function Page({ title, className, before, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${words.shop.name}`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className={className ? `page ${className}` : "page"}>
      {before}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}

export function Spinner({ label }: { label: string }) {
  return (
    <p className="spinner-line" role="status">
      <span className="spinner" aria-hidden="true" />
      {label}
    </p>
  )
}

type WaitProps = { state: Loaded<unknown>; label: string; again?: () => void }

/** What stands in for content that is not there: a spinner, or why it is missing. */
export function Wait({ state, label, again }: WaitProps) {
  if (state.kind !== "failed") return <Spinner label={label} />
  return (
    <div className="notice notice-problem" role="alert">
      <p>{state.message}</p>
      <button type="button" className="button-quiet" onClick={again ?? reload}>
        {words.common.tryAgain}
      </button>
    </div>
  )
}

function reload(): void {
  window.location.reload()
}
