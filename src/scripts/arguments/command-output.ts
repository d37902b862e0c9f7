import type { Logger } from "../../core/ports"

/** Medusa ends the process right after a command, so its output must be written before. */
export function printDocument(document: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, (error) =>
      error ? reject(error) : resolve(),
    )
  })
}

/** Standard output is for the command's document alone. */
export function toStandardError(): Logger {
  const say = (message: string) => console.error(message)
  return { debug: () => undefined, info: say, warn: say, error: say }
}
