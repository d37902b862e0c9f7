/** A call that goes on once a test opens it. */
export function gated() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  return { open, isOpen }
}
