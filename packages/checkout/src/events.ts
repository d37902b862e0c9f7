/** Server-sent events, read by `fetch`, because the store's key travels in a header. */
import { within } from "./deadline.js"
import { readStatus, type Status } from "./status.js"

/** The store sends something at once; a proxy that holds the stream back does not. */
const FIRST_MS = 15_000
/** Three heartbeats of the store. A stream that is silent for longer is on a dead line. */
const SILENT_MS = 45_000

type Reader = {
  told(status: Status, id: string | null): void
  /** Called with whatever comes whole, heartbeats too. */
  heard(): void
  readonly ended: AbortSignal
}

/**
 * Tells each STATUS, until the store ends the stream in order.
 * @throws for a line that broke or fell silent
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { told, heard, ended }: Reader,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let silentMs = FIRST_MS
  try {
    for (;;) {
      const { done, value } = await within(silentMs, () => reader.read(), ended)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      if (blocks.length > 0) {
        silentMs = SILENT_MS
        heard()
      }
      for (const block of blocks) {
        const status = readStatus(dataOf(block))
        if (status) told(status, fieldOf(block, "id"))
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function dataOf(block: string): unknown {
  try {
    return JSON.parse(fieldOf(block, "data") ?? "null")
  } catch {
    return null
  }
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split("\n").find((one) => one.startsWith(`${name}: `))
  return line?.slice(name.length + 2) ?? null
}
