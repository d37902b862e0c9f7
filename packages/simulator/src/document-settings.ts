/**
 * Settings of sources, their pages and their receipts, with their defaults. Each stands for
 * something that the contract leaves open (contract notes, sections 2a, 10 and 17).
 */
export type DocumentSettings = {
  /**
   * What happens to a source past its `expires_at` (17.12). `page_closes` (default): its page takes
   * no payment, its state stays. `canceled`: it is also `CANCELED` once none of its payments is
   * under way. `open`: nothing happens.
   */
  afterExpiry: "page_closes" | "canceled" | "open"
  /**
   * What a source reads while a prompt of the API waits for the payer (when a payment "starts" is
   * open, 5 and 17). `PROCESSING` (default). `ACTIVE`: it can be canceled until the payer answers.
   */
  promptedSource: "PROCESSING" | "ACTIVE"
  /** How long a checkout source without `expires_at` lives (17.12). Default: without end. */
  sourceLifeMs: number | null
  /**
   * Which `reference_id` documents and checkout sources take (17.16). `free` (default): any text,
   * also repeatedly. `uuid_v4`: a UUID v4. `unique_uuid_v4`: one that no other document of the
   * merchant has.
   */
  documentReference: "free" | "uuid_v4" | "unique_uuid_v4"
  /**
   * What mode `DIRECT` does (17.3). `page` (default): accepted, and `url` opens a page as in mode
   * `HOSTED`. `no_page`: accepted, and `url` is empty. `refused`: 422.
   */
  directMode: "page" | "no_page" | "refused"
  /** Whether a checkout source counts as a payment link for `links/pay`. Default false. */
  checkoutsArePaymentLinks: boolean
  /**
   * Which names, notes, reasons and e-mails it takes: `any` (default). `plain`: ASCII letters,
   * digits and a few marks, 50 characters, no plus in an e-mail, ten lines; else 422 on the field.
   */
  texts: "any" | "plain"
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
  promptedSource: options.promptedSource ?? "PROCESSING",
  sourceLifeMs: options.sourceLifeMs ?? null,
  documentReference: options.documentReference ?? "free",
  directMode: options.directMode ?? "page",
  checkoutsArePaymentLinks: options.checkoutsArePaymentLinks ?? false,
  texts: options.texts ?? "any",
  unpaidReceipt: options.unpaidReceipt ?? 404,
  addsReturnParameters: options.addsReturnParameters ?? false,
})
