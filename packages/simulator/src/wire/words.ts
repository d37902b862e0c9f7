/** Other words of other gateways: for states, and for why money did not move. */
import { DECLINED, MONEY_OUT_TEXTS, NOT_ENOUGH } from "../rules/timeline"

/** Of a collection. */
export const EXECUTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  PENDING: ["PENDING", "INITIATED"],
  PROCESSING: ["PROCESSING", "IN_PROGRESS", "AWAITING_APPROVAL"],
  COMPLETED: ["COMPLETED", "SUCCESSFUL", "SUCCESS"],
  FAILED: ["FAILED", "CANCELLED", "EXPIRED", "REJECTED", "DECLINED", "TIMED_OUT"],
}

/** Of money that goes back or out, which no document bears witness to: words with one meaning. */
export const MONEY_OUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...EXECUTION_WORDS,
  COMPLETED: ["COMPLETED", "SUCCESSFUL"],
  FAILED: ["FAILED", "CANCELLED", "REJECTED", "DECLINED"],
}

/** For documents. `PAID` stays: other words say that an order is done, not that it is paid. */
export const DOCUMENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  PROCESSING: ["PROCESSING", "IN_PROGRESS", "AWAITING_APPROVAL"],
  CANCELED: ["CANCELED", "CANCELLED", "EXPIRED"],
}

type Reason = { readonly code: string; readonly french: string }

/** By the simulator's own words; a plan's words stay as they are. */
export const REASONS: Readonly<Record<string, Reason>> = {
  [DECLINED]: { code: "PAYER_DECLINED", french: "Paiement refusé par le payeur" },
  [NOT_ENOUGH]: { code: "NOT_ENOUGH_FUNDS", french: "Solde du compte insuffisant" },
  [MONEY_OUT_TEXTS.declined]: {
    code: "PAYEE_NOT_ALLOWED_TO_RECEIVE",
    french: "Refusé du côté du bénéficiaire",
  },
  [MONEY_OUT_TEXTS.notEnough]: {
    code: "WALLET_BALANCE_TOO_LOW",
    french: "Solde du portefeuille insuffisant",
  },
}
