/**
 * The shop's own check of `complete-cart`, asked before the money, too: without a handler of its
 * own, our hook `validate` gets the one that the shop registered on Medusa's.
 */
import { handlersOf } from "./hook-handlers"

const HOOK = "validate"
const OURS = "merchant-payments-cart-ready"

/** What our hook holds without a handler of its own: nothing yet, or the shop's of the other. */
let held: unknown

/** Called once when our workflow is there and no shop has registered anything yet. */
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
