/**
 * The merchant portal's passcode, typed once for the payouts of one sitting. It is in this page's
 * memory alone, and in none of its caches.
 */
import { useEffect } from "react"
import { useLocation } from "react-router-dom"
import { PASSCODE_KEPT_MS } from "./pauses"

export type Passcode = { readonly passcode: string; readonly passcode_phone: string }

/** The pages of this plugin; settings are not among them. */
const OURS = /^\/merchant-payments(\/|$)/

let kept: Passcode | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export const keptPasscode = (): Passcode | undefined => kept

/** Keeps a passcode that the gateway has accepted just now. */
export function keepPasscode({ passcode, passcode_phone }: Passcode): void {
  clearTimeout(timer)
  kept = { passcode, passcode_phone }
  timer = setTimeout(forgetPasscode, PASSCODE_KEPT_MS)
}

export function forgetPasscode(): void {
  clearTimeout(timer)
  kept = undefined
}

/**
 * Forgets the passcode when the admin leaves this plugin's pages or logs out. The menu calls it,
 * because the menu is on every page and goes at the logout.
 */
export function useForgottenPasscode(): void {
  const { pathname } = useLocation()
  const isOurs = OURS.test(pathname)
  useEffect(() => {
    if (!isOurs) forgetPasscode()
  }, [isOurs])
  useEffect(() => forgetPasscode, [])
}
