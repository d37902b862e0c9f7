export { cardTokenOf, withCaptcha } from "./card.js"
export type { CardAdapter } from "./card.js"
export { createCheckout, phaseOf } from "./checkout.js"
export type {
  Checkout,
  CheckoutOptions,
  Payment,
  PaymentView,
  Phase,
  Remembered,
} from "./checkout.js"
export type { Surroundings } from "./follow.js"
export { END_REASONS, hasEnded, isUnderWay, PAYMENT_STATES } from "./status.js"
export type { EndReason, PaymentState, Status } from "./status.js"
export { NoAnswer, Refused } from "./store.js"
export type { Operator, PaymentMethod, Quote, StartRequest, Store, StoreOptions } from "./store.js"
export { moneyText, phoneText, problemText, reasonText, sayIn } from "./texts.js"
export type { Facts, Say } from "./texts.js"
export { en } from "./texts/en.js"
export type { TextKey, Texts } from "./texts/en.js"
export { fr } from "./texts/fr.js"
export { rw } from "./texts/rw.js"
