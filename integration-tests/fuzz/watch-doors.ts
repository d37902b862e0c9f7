/** Which doors let a request through at least once, and why the others let none. */
export function watchDoors() {
  const opened = new Set<string>()
  const refused = new Map<string, Map<string, number>>()
  return {
    note(door: string, status: number, text: string): void {
      const [, code = status] = /"(?:code|type)":"(\w{1,60})"/.exec(text) ?? []
      // What the gateway refused was sent: the door let it through.
      if ((status >= 200 && status < 400) || code === "gateway_refused") opened.add(door)
      const why = refused.get(door) ?? new Map<string, number>()
      refused.set(door, why.set(String(code), (why.get(String(code)) ?? 0) + 1))
    },
    /** Each with how often it was refused and why. */
    neverOpened: (doors: readonly string[]): readonly string[] =>
      doors
        .filter((door) => !opened.has(door))
        .map((door) => {
          const why = [...(refused.get(door) ?? [])].map(([code, times]) => `${code} × ${times}`)
          return `${door} was never opened: ${why.join(", ") || "it was not asked for"}`
        }),
  }
}
