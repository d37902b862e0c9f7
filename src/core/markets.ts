/**
 * Each country in which the gateway reaches wallets, as its client knows it: money, phone numbers,
 * operators.
 */
export * from "../../packages/gateway/src/terms/markets"
