// @ts-check
/**
 * Loaded into a store before its own code: answers what only that process can tell about itself. It
 * does nothing until it is asked.
 *
 * - `cpu`: CPU of this whole process so far, in milliseconds, all its threads, user and system, and
 *   its memory;
 * - `collect`: collects garbage first, so that a window does not pay for what came before it.
 */
process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("probe" in message)) return
  if (message.probe === "collect") globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage()
  process.send?.({ probe: message.probe, cpuMs: (user + system) / 1_000, rssBytes, heapBytes })
})
// Being asked questions must not keep a store alive that has nothing else to do.
process.channel?.unref()
