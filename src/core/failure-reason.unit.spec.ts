import fc from "fast-check"
import { failureReason } from "./failure-reason"
import { END_REASONS } from "./operation"

describe("the reason of a FAILED payment", () => {
  it.each([
    ["Payer has insufficient funds", "insufficient_funds"],
    ["NOT_ENOUGH_FUNDS: not enough balance", "insufficient_funds"],
    ["Low balance on wallet", "insufficient_funds"],
    ["Wrong PIN entered", "wrong_pin"],
    ["PIN blocked after 3 tries", "wrong_pin"],
    ["Daily limit reached", "limit"],
    ["Amount too low", "limit"],
    ["AMOUNT_OUT_OF_BOUNDS", "limit"],
    ["The amount is outside the allowed range", "limit"],
    ["Amount is below the minimum", "limit"],
    ["Payer wallet daily limit exceeded", "limit"],
    ["PIN retries exceeded", "wrong_pin"],
    ["PIN_RETRY_LIMIT_EXCEEDED", "wrong_pin"],
    ["Too many attempts to enter the PIN", "wrong_pin"],
    ["Transaction cancelled by payer", "canceled"],
    ["CANCELED", "canceled"],
    ["The payer declined the payment", "declined"],
    ["Rejected", "declined"],
    ["Payer did not approve: not approved in time", "declined"],
    ["Operator unavailable", "operator_unavailable"],
    ["Request timed out", "operator_unavailable"],
    ["time-out", "operator_unavailable"],
    ["INSUFFICIENT_BALANCE", "insufficient_funds"],
    ["BALANCE_INSUFFICIENT", "insufficient_funds"],
    ["NOT_ENOUGH_FUNDS", "insufficient_funds"],
    ["The amount exceeds available balance", "insufficient_funds"],
    ["Amount exceeds the payer's available balance", "insufficient_funds"],
    ["Solde insuffisant", "insufficient_funds"],
    ["Votre solde est trop faible", "insufficient_funds"],
    ["Fonds insuffisants sur le compte", "insufficient_funds"],
    ["Exceeds maximum wallet balance", "limit"],
    ["INCORRECT_PIN", "wrong_pin"],
    ["INVALID_PASSCODE", "wrong_pin"],
    ["You have entered the wrong PIN code", "wrong_pin"],
    ["Code secret incorrect", "wrong_pin"],
    ["Mot de passe erroné", "wrong_pin"],
    ["AMOUNT_TOO_SMALL", "limit"],
    ["AMOUNT_TOO_LARGE", "limit"],
    ["PAYER_LIMIT_REACHED", "limit"],
    ["Withdrawal amount limit exceeded", "limit"],
    ["Money transfer amount too small", "limit"],
    ["Plafond journalier atteint", "limit"],
    ["Montant trop élevé", "limit"],
    ["TRANSACTION_CANCELED", "canceled"],
    ["MANUALLY_CANCELLED", "canceled"],
    ["Annulé par le client", "canceled"],
    ["PAYMENT_NOT_APPROVED", "declined"],
    ["APPROVAL_REJECTED", "declined"],
    ["Declined by Example Limited", "declined"],
    ["EXAMPLE UNLIMITED NETWORKS LTD: DO NOT HONOR", "declined"],
    ["Transaction refusée", "declined"],
    ["Paiement non approuvé", "declined"],
    ["SERVICE_UNAVAILABLE", "operator_unavailable"],
    ["PROVIDER_TEMPORARILY_UNAVAILABLE", "operator_unavailable"],
    ["Time limit exceeded", "operator_unavailable"],
    ["Délai d'attente dépassé", "operator_unavailable"],
    ["Service indisponible", "operator_unavailable"],
    ["Recipient not registered", "no_wallet"],
    ["PAYER_NOT_FOUND", "no_wallet"],
    ["PAYEE_NOT_REGISTERED", "no_wallet"],
    ["No such payer", "no_wallet"],
    ["Subscriber not found", "no_wallet"],
    ["Unregistered", "no_wallet"],
    ["Not registered", "no_wallet"],
    ["The customer has no wallet", "no_wallet"],
    ["No mobile money account found for this number", "no_wallet"],
    ["The payer's wallet does not exist", "no_wallet"],
    ["This number has not been registered yet", "no_wallet"],
    ["Unknown subscriber", "no_wallet"],
    ["Abonné inconnu", "no_wallet"],
    ["Ce numéro n'est pas enregistré", "no_wallet"],
    ["Le compte n'existe pas", "no_wallet"],
    ["Transaction not registered", "declined"],
    ["Transaction not found", "unknown"],
    ["Operator not found", "unknown"],
    ["TRANSACTION_EXPIRED", "window_closed"],
    ["There is a pending transaction on this account", "other_payment_waits"],
    ["Rejected: another payment is in progress", "other_payment_waits"],
    ["ANOTHER_TRANSACTION_IN_PROGRESS", "other_payment_waits"],
    ["Another transaction waits and the balance is too low", "insufficient_funds"],
    ["Declined. Try another payment method", "declined"],
    ["COULD_NOT_PERFORM_TRANSACTION", "unknown"],
    ["Insufficient permissions", "unknown"],
    ["Payment failed at Example Network Limited", "unknown"],
    ["Something odd", "unknown"],
    ["", "unknown"],
  ])("%p is read as %s", (text, reason) => {
    expect(failureReason(text)).toBe(reason)
    expect(END_REASONS).toContain(reason)
  })

  it("is taken from a code before the sentence that stands beside it", () => {
    expect(failureReason("The operator declined", "NOT_ENOUGH_FUNDS")).toBe("insufficient_funds")
    expect(failureReason("Rejected by the network (INCORRECT_PIN)")).toBe("wrong_pin")
    expect(failureReason("OTHER_ERROR: solde insuffisant")).toBe("insufficient_funds")
  })

  it("does not depend on case, blanks, separators or accents, or on an operator's name", () => {
    const texts = [
      ["payment not approved", "declined"],
      ["not enough balance", "insufficient_funds"],
      ["incorrect pin", "wrong_pin"],
      ["pin retries exceeded", "wrong_pin"],
      ["amount out of bounds", "limit"],
      ["amount below the minimum", "limit"],
      ["montant trop eleve", "limit"],
      ["operator unavailable", "operator_unavailable"],
      ["no such payer", "no_wallet"],
    ] as const
    const change = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.replaceAll(" ", "_"),
      (text: string) => text.toUpperCase().replaceAll(" ", "_"),
      (text: string) => ` ${text.replaceAll(" ", "  ")}. `,
      (text: string) => `${text} (Example Limited)`,
      (text: string) => `Example Networks Ltd: ${text}`,
      (text: string) => text.replace("eleve", "élevé"),
    )
    fc.assert(
      fc.property(fc.constantFrom(...texts), change, ([text, reason], changed) => {
        expect(failureReason(changed(text))).toBe(reason)
      }),
    )
  })

  it("is taken from the first text that says something", () => {
    expect(failureReason(undefined, null, "ok", "declined", "wrong pin")).toBe("declined")
    expect(failureReason()).toBe("unknown")
  })
})
