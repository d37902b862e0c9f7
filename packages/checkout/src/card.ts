/**
 * Cards on the shop's own page. The shop brings the card processor's browser SDK in this shape; no
 * card number reaches the kit, the shop's server or the store.
 */
import { within } from "./deadline.js"
import { Refused } from "./store.js"

/** The processor reads its own fields then; it asks the shopper nothing. */
const TOKEN_MS = 40_000

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
    return await within(TOKEN_MS, () => cardAdapter.tokenize())
  } catch {
    // What is wrong with a field the processor says beside it.
    throw new Refused(400, "card_not_read", "The card could not be read.", null, {})
  }
}

/**
 * Sends a start, and once more with the shop's captcha where the store asks for it. Nothing was
 * asked of the gateway, so the card's token serves again.
 * @throws the store's refusal where there is no captcha, or the shopper leaves it
 */
export async function withCaptcha<T>(
  cardAdapter: Pick<CardAdapter, "captcha"> | undefined,
  send: (given: { readonly captcha_token?: string }) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    const isAsked = error instanceof Refused && error.body["captcha"] === true
    if (!isAsked || !cardAdapter?.captcha) throw error
    const captcha_token = await cardAdapter.captcha().catch(() => Promise.reject(error))
    return send({ captcha_token })
  }
}
