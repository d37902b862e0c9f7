/**
 * Runs the shop's own check of `complete-cart` before the money moves, too. While our hook
 * `validate` has no handler of its own, it gets the one that the shop registered on Medusa's hook.
 */
import { handlersOf } from "./hook-handlers"

const HOOK = "validate"
const OURS = "merchant-payments-cart-ready"

/**
 * What our hook holds without a handler of its own: the step that does nothing, or the handler of
 * Medusa's hook.
 */
let held: unknown

/** Called once, when our workflow is registered and no shop has registered a handler yet. */
export function noteEmptyHook(): void {
  held = handlersOf(OURS)?.get(HOOK)
}

/** Called before each check: a shop may register its handler at any time. */
export function askShopOfCompleteCart(): void {
  const ours = handlersOf(OURS)
  const theirs = handlersOf("complete-cart")?.get(HOOK)
  if (!theirs || ours?.get(HOOK) !== held) return
  ours?.set(HOOK, theirs)
  held = theirs
}
