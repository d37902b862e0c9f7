/**
 * Follows one payment until it ends: asks often while the shopper holds the phone, less often
 * later, not at all while the tab is hidden, and at once when it is looked at again. A question
 * that gets no answer changes nothing: the payment goes on without this page.
 */
import { useCallback, useEffect, useState } from "react"
import { PaymentRefused } from "../api/payments"
import { hasEnded, type PaymentStatus } from "../api/payment-status"
import { sentenceOf } from "../api/store"
import { pauseMsAfter } from "../pauses"
import { useShop } from "../shop"

export type Followed = {
  status: PaymentStatus | null
  /** Why the last question had no answer; null when it had one. */
  trouble: string | null
  /** The session is not known to the store: nothing to follow. */
  isGone: boolean
  /** Shows a status that came another way, and goes on from there. */
  show(status: PaymentStatus): void
}

export function usePaymentStatus(sessionId: string): Followed {
  const { payments } = useShop()
  const [status, setStatus] = useState<PaymentStatus | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isGone, setGone] = useState(false)
  const isOver = isGone || (status !== null && hasEnded(status))

  useEffect(() => {
    if (isOver) return
    const since = performance.now()
    let timer: number | undefined
    let dropped = false
    let asking = false

    const plan = () => {
      window.clearTimeout(timer)
      if (dropped || document.hidden) return
      timer = window.setTimeout(() => void ask(), pauseMsAfter(performance.now() - since))
    }
    const ask = async () => {
      if (asking || dropped || document.hidden) return
      asking = true
      try {
        const next = await payments.status(sessionId)
        if (dropped) return
        setStatus(next)
        setTrouble(null)
      } catch (error) {
        if (dropped) return
        if (error instanceof PaymentRefused && error.code === "session_not_found") setGone(true)
        else setTrouble(sentenceOf(error))
      } finally {
        asking = false
        plan()
      }
    }
    const lookedAt = () => void ask()

    void ask()
    document.addEventListener("visibilitychange", lookedAt)
    window.addEventListener("focus", lookedAt)
    window.addEventListener("online", lookedAt)
    return () => {
      dropped = true
      window.clearTimeout(timer)
      document.removeEventListener("visibilitychange", lookedAt)
      window.removeEventListener("focus", lookedAt)
      window.removeEventListener("online", lookedAt)
    }
  }, [payments, sessionId, isOver])

  const show = useCallback((next: PaymentStatus) => {
    setStatus(next)
    setTrouble(null)
  }, [])
  return { status, trouble, isGone, show }
}
