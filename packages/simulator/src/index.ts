/**
 * A gateway simulator: an HTTP server that implements the Merchant Payments API over its own book,
 * for development, demos and tests. It moves no money and refuses to start in production.
 */
export type { MoneyOutView, RefundedView, WalletView } from "./book/money-out-view"
export type { WalletState } from "./book/money-records"
export type { BookData } from "./book/records"
export type { BookView, DocumentView, ExecutionView } from "./book/view"
export type { SimulatorClock } from "./clock"
export type { ContractViolation } from "./contract/contract"
export type { BackOffice, MerchantView } from "./control/back-office"
export type { Connections } from "./sockets"
export { FAULT_KINDS } from "./faults"
export type {
  FaultEntry,
  FaultKind,
  Faults,
  RandomFaults,
  ScriptedFault,
  StruckFault,
} from "./faults"
export type { MoneyOutSettings } from "./money-out-settings"
export type { SimulatorOptions } from "./options"
export type { Plan } from "./plans"
export type { ChallengeKey } from "./rules/cards"
export type { PromptKey } from "./rules/handset"
export type { Prices } from "./rules/prices"
export type { HostedPayment } from "./rules/hosted"
export type { Timing, TimingControl } from "./rules/timing"
export type { ExecutionStatus, Outcome } from "./rules/timeline"
export { OTHER_NUMBERS, SCENARIOS, type Scenario } from "./scenarios"
export { startSimulator, type Simulator } from "./simulator"
export {
  HABITS,
  habitsOf,
  isHabit,
  TEMPERS,
  TROUBLE_HABITS,
  type Habit,
  type Temper,
} from "./wire/habits"
export type { Merchant } from "./world"
