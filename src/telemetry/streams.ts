/** The live streams that this process has open: routes count them, and the gauge reads them. */
let open = 0

export const noteStreams = (now: number): void => void (open = now)
export const openStreams = (): number => open
