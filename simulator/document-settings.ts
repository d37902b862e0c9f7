/**
 * What can be set about sources, their pages and their receipts, and what holds when nothing is.
 * Each stands for something the contract leaves open (contract notes, sections 2a, 10 and 17): the
 * sentence says what each value means.
 */
export type DocumentSettings = {
  /**
   * A source past its `expires_at` (17.12). `page_closes` (default): its page takes no payment, its
   * state stays. `canceled`: it is `CANCELED` too, as soon as no payment of it runs. `open`:
   * nothing happens.
   */
  afterExpiry: "page_closes" | "canceled" | "open"
  /** How long a checkout source lives that was made without `expires_at` (17.12). Default no end. */
  sourceLifeMs: number | null
  /**
   * `reference_id` of documents and checkout sources (17.16). Default `free`: any text, as often as
   * one likes. `uuid_v4`: a UUID v4. `unique_uuid_v4`: one that no other document of the merchant
   * carries.
   */
  documentReference: "free" | "uuid_v4" | "unique_uuid_v4"
  /**
   * Mode `DIRECT` (17.3). `page` (default): taken, and `url` opens a page as in mode `HOSTED`.
   * `no_page`: taken, and `url` is empty. `refused`: 422.
   */
  directMode: "page" | "no_page" | "refused"
  /** Whether a checkout source counts as a payment link for `links/pay`. Default false. */
  checkoutsArePaymentLinks: boolean
  /** What reading the receipt of an unpaid source answers. Default 404. */
  unpaidReceipt: 404 | 422
  /**
   * Whether the page adds query parameters to the merchant's addresses (17.9): `source_type`,
   * `source_number` and `status`. Default false.
   */
  addsReturnParameters: boolean
}

/** Fills in the defaults. */
export const documentSettings = (options: Partial<DocumentSettings>): DocumentSettings => ({
  afterExpiry: options.afterExpiry ?? "page_closes",
  sourceLifeMs: options.sourceLifeMs ?? null,
  documentReference: options.documentReference ?? "free",
  directMode: options.directMode ?? "page",
  checkoutsArePaymentLinks: options.checkoutsArePaymentLinks ?? false,
  unpaidReceipt: options.unpaidReceipt ?? 404,
  addsReturnParameters: options.addsReturnParameters ?? false,
})
