/** Server-sent events, read by `fetch`, because the store's key travels in a header. */
import { readStatus, type Status } from "./status.js"

/** Three heartbeats of the store. A stream that is silent for longer is on a dead line. */
const SILENT_MS = 45_000

/**
 * Tells each STATUS, until the store ends the stream in order.
 * @throws for a line that broke or fell silent
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  tell: (status: Status, id: string | null) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await heard(reader.read())
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const status = readStatus(dataOf(block))
        if (status) tell(status, fieldOf(block, "id"))
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function heard<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("silent")), SILENT_MS)
    reading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
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
