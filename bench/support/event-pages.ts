/**
 * Many pages with an open stream of events, all in this process. A page is a connection of its own,
 * as a browser's is, and says that it comes through a proxy from a network of its own.
 */
import http from "node:http"
import type { Store } from "./store"

/** What a page was told last. */
type PageNews = {
  readonly sessionId: string
  readonly payment: { readonly phone_hint: string | null }
  /** Since the epoch, as the database's clock on the same machine. */
  readonly atMs: number
}

export type EventPages = {
  /** Resolves with its first event. */
  open(sessionId: string, network: string): Promise<void>
  /** Called with all that comes after the first events. */
  onNews(listener: (news: PageNews) => void): void
  close(): void
}

export function eventPages({ url, publishableKey }: Store): EventPages {
  const agent = new http.Agent({ maxSockets: Infinity })
  let listener: (news: PageNews) => void = () => undefined

  const open = (sessionId: string, network: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { "x-publishable-api-key": publishableKey, "x-forwarded-for": network }
      const path = `/store/merchant-payments/sessions/${sessionId}/events`
      const request = http.get(new URL(path, url), { agent, headers }, (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`A stream was answered with ${String(response.statusCode)}.`))
        }
        let text = ""
        let isFirst = true
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const blocks = (text + chunk).split("\n\n")
          text = blocks.pop() ?? ""
          for (const block of blocks) {
            const data = /^data: (.+)$/m.exec(block)?.[1]
            if (data === undefined) continue
            const payment = JSON.parse(data) as PageNews["payment"]
            if (!isFirst) listener({ sessionId, payment, atMs: Date.now() })
            isFirst = false
            resolve()
          }
        })
        response.on("error", reject)
      })
      request.on("error", reject)
    })

  return {
    open,
    onNews: (told) => void (listener = told),
    close: () => agent.destroy(),
  }
}
