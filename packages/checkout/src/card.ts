/**
 * Cards on the shop's own page. The shop brings the card processor's browser SDK in this shape; no
 * card number reaches the kit, the shop's server or the store.
 */
import { Refused } from "./store.js"

export type CardAdapter = {
  /** Shows the processor's own fields. @returns what takes them away */
  mount?(place: HTMLElement): () => void
  /**
   * The shop's captcha, solved: asked for while the store pauses cards, because too many were
   * declined. A rejection leaves the payment refused. Without it cards wait until the pause is over.
   */
  captcha?(): Promise<string>
  /** The card in those fields, as the processor's token. It is used for one try. */
  tokenize(): Promise<string>
  /**
   * Lets the shopper confirm with the bank. A rejection says that the shopper refused or left.
   * Neither end proves anything: only STATUS says what became of the payment.
   * @param step has no `cardToken` after a reload
   */
  confirm(step: {
    readonly clientSecret: string
    readonly cardToken: string | undefined
  }): Promise<void>
}

/** @throws Refused `card_not_read` */
export async function cardTokenOf(cardAdapter: CardAdapter): Promise<string> {
  try {
    return await cardAdapter.tokenize()
  } catch {
    // What is wrong with a field the processor says beside it.
    throw new Refused(400, "card_not_read", "The card could not be read.", null, {})
  }
}
