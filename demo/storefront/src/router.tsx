/**
 * The address bar as state: a path, a query, and a way to change them without loading the page. The
 * server answers every unknown path with the same page, so a reload lands on the same screen.
 */
import { useEffect, useRef, useSyncExternalStore, type MouseEvent, type ReactNode } from "react"

const CHANGED = "shop:navigated"

export type Place = { path: string; query: URLSearchParams }

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed)
  window.addEventListener(CHANGED, changed)
  return () => {
    window.removeEventListener("popstate", changed)
    window.removeEventListener(CHANGED, changed)
  }
}

const address = () => window.location.pathname + window.location.search

export function usePlace(): Place {
  const current = new URL(useSyncExternalStore(subscribe, address), window.location.origin)
  return { path: current.pathname, query: current.searchParams }
}

/** `replace` for steps that the Back button must not lead to again. */
export function navigate(to: string, options: { replace?: boolean; state?: unknown } = {}): void {
  if (to === address()) return
  if (options.replace) window.history.replaceState(options.state ?? null, "", to)
  else window.history.pushState(null, "", to)
  window.dispatchEvent(new Event(CHANGED))
  window.scrollTo(0, 0)
}

/** Moves to `to` once shown; for a screen that turned out to be the wrong one. */
export function Redirect({ to, state }: { to: string; state?: unknown }): null {
  const given = useRef(state)
  useEffect(() => navigate(to, { replace: true, state: given.current }), [to])
  return null
}

type LinkProps = { to: string; className?: string; takesFocus?: boolean; children: ReactNode }

/** @param takesFocus once it is shown, because what had the focus has done its work */
export function Link({ to, className, takesFocus = false, children }: LinkProps): ReactNode {
  const self = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (takesFocus) self.current?.focus()
  }, [takesFocus])
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a ref={self} href={to} className={className} onClick={follow}>
      {children}
    </a>
  )
}
