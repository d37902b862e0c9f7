/** Reads a stream of server-sent events as a browser's `fetch` does. */
import type { Payment } from "./shop"

export type StatusEvent = { readonly id: string; readonly payment: Payment }

export type EventReader = {
  readonly status: number
  readonly headers: Headers
  /** The next event; undefined once the server has ended the stream in order. */
  next(): Promise<StatusEvent | undefined>
  leave(): Promise<void>
}

export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const chunks = (response.body ?? new Blob().stream()).getReader()
  const decoder = new TextDecoder()
  let text = ""

  const next = async (): Promise<StatusEvent | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end < 0) {
        const { done, value } = await chunks.read()
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
        continue
      }
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const event = eventIn(block)
      if (event) return event
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    leave: async () => {
      await chunks.cancel().catch(() => undefined)
      abort.abort()
    },
  }
}

/** Heartbeats and the pause before a next try hold no event. */
function eventIn(block: string): StatusEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => {
      const [name = "", ...value] = line.split(": ")
      return [name, value.join(": ")] as const
    }),
  )
  if (fields.get("event") !== "status") return undefined
  return {
    id: fields.get("id") ?? "",
    payment: JSON.parse(fields.get("data") ?? "") as Payment,
  }
}
