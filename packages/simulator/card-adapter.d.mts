/** What a shop hands to the checkout kit for cards on its own page. */
export type CardAdapter = {
  /** Shows the choice of cards. @returns what takes it away again */
  mount(element: HTMLElement): () => void
  /** The token of the chosen card. Rejects while none is mounted. */
  tokenize(): Promise<string>
  /**
   * Lets the shopper answer the bank. Resolves when the bank says yes, which proves nothing: only
   * STATUS does. Rejects when it says no, or the shopper leaves.
   */
  confirm(asked: { clientSecret: string; cardToken?: string | undefined }): Promise<void>
}

export declare const TEST_CARDS: readonly { readonly token: string; readonly label: string }[]

/** @param options `simulatorUrl`: where the browser reaches the simulator */
export declare function createCardAdapter(options: { simulatorUrl: string }): CardAdapter
