/**
 * `merchant-payments-simulator`. Prints one line with its address when it is ready. On SIGINT and
 * SIGTERM it saves its book; if it can't start, it prints a sentence and exits with 1.
 */
import { HELP, optionsFrom } from "./flags"
import { startSimulator } from "./simulator"

async function main(): Promise<void> {
  const options = optionsFrom(process.argv.slice(2))
  if (options === "help") {
    process.stdout.write(HELP)
    return
  }
  const simulator = await startSimulator({
    ...options,
    onContractViolation: ({ operation, status, message }) =>
      console.error(`Contract violation in ${operation} (${status}): ${message}`),
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void simulator.close().then(() => process.exit(0)))
  }
  console.log(`Gateway simulator ready at ${simulator.url}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
