/** Sentences that come up while the shopper is busy elsewhere; read aloud when they appear. */
import type { ReactNode } from "react"

type NoticeProps = { tone: "problem" | "information" | "good"; children: ReactNode }

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div
      className={`notice notice-${tone}`}
      role={tone === "problem" ? "alert" : "status"}
      data-testid={`notice-${tone}`}
    >
      {children}
    </div>
  )
}

export function Problem({ message }: { message: string | null }) {
  return message === null ? null : <Notice tone="problem">{message}</Notice>
}
