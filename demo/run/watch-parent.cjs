// @ts-check
/**
 * Loaded into every child before its own code: a child whose parent is gone stops itself, also when
 * the parent was killed and could not say goodbye. The pipe between the two tells.
 */
const STOP_WITHIN_MS = 10_000

if (process.channel) {
  process.on("disconnect", () => {
    process.kill(process.pid, "SIGTERM")
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  })
  // The pipe alone must not keep a child alive that has nothing else to do.
  process.channel.unref()
}
