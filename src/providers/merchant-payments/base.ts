/**
 * What all providers do: answer Medusa from the ledger. They never settle: `start` takes money and
 * the job records it. Only a refund calls the gateway from here. Incoming session `data` is not
 * read. What Medusa does under H4, H5 and so on is listed in `docs/reliability.md`.
 */
import type * as Medusa from "@medusajs/framework/types"
import { AbstractPaymentProvider, MedusaError, PaymentActions } from "@medusajs/framework/utils"
import { Refusal } from "../../core/refusal"
import { findMoneyOfSession } from "../../ledger/find-operations"
import { TablesNotMigrated } from "../../ledger/fitting-tables"
import { NOTHING_STARTED, type SessionData } from "../../engine/medusa-port"
import { authorize } from "../../checkout/answer-medusa"
import { idFrom } from "../../core/ids"
import { sendRefundOfMedusa } from "../../refunds/send-refund-of-medusa"
import {
  providerFlowsFrom,
  type ProviderContainer,
  type ProviderFlows,
} from "../../medusa/wiring/flows-from"

export abstract class MerchantPaymentsProvider extends AbstractPaymentProvider {
  readonly #deps: ProviderFlows

  constructor(container: ProviderContainer, options?: Record<string, unknown>) {
    super(container, options)
    this.#deps = providerFlowsFrom(container)
  }

  async initiatePayment(input: Medusa.InitiatePaymentInput): Promise<Medusa.InitiatePaymentOutput> {
    return {
      id: keyIn(input.context),
      data: { ...publicData({ client: input.data?.["client"] }) },
      status: "pending",
    }
  }

  async updatePayment(input: Medusa.UpdatePaymentInput): Promise<Medusa.UpdatePaymentOutput> {
    return { data: { ...publicData(input.data) } }
  }

  /**
   * Medusa passes `data` only, so this can't know which payment to close; the guard and the sweep
   * close it (H4, H5).
   */
  async deletePayment(_input: Medusa.DeletePaymentInput): Promise<Medusa.DeletePaymentOutput> {
    return { data: {} }
  }

  async authorizePayment(
    input: Medusa.AuthorizePaymentInput,
  ): Promise<Medusa.AuthorizePaymentOutput> {
    const outcome = await answered(async () => {
      const session = await this.#deps.sessions.payable(idFrom(keyIn(input.context)))
      if (!session) throw requiresMore("This payment session is not known any more.")
      return authorize(this.#deps, session, session)
    })
    if (outcome.kind === "requires_more") throw requiresMore(outcome.sentence)
    return { status: outcome.kind, data: { ...outcome.data, ...clientIn(input.data) } }
  }

  /** Payments are captured when they are authorized; a later call is answered from the ledger. */
  async capturePayment(input: Medusa.CapturePaymentInput): Promise<Medusa.CapturePaymentOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    if (money?.state !== "completed") {
      throw notAllowed(
        "payment_not_collected: the gateway has not confirmed this payment, so it can't be " +
          "captured. It is captured by itself as soon as the gateway confirms it.",
      )
    }
    return { data: { ...publicData(input.data) } }
  }

  async cancelPayment(input: Medusa.CancelPaymentInput): Promise<Medusa.CancelPaymentOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    // Agreeing would mark captured money as canceled, and settling again would fail (H11).
    if (money) {
      throw notAllowed(
        `payment_holds_money: ${money.id} is paid. It can be refunded, not canceled.`,
      )
    }
    return { data: { ...publicData(input.data) } }
  }

  /**
   * Medusa's amount and data are not read: the refund's row, found by its id, says what is asked
   * for. The returned data replaces the payment's data (H9).
   */
  async refundPayment(input: Medusa.RefundPaymentInput): Promise<Medusa.RefundPaymentOutput> {
    await answered(() => sendRefundOfMedusa(this.#deps, idFrom(keyIn(input.context))))
    return { data: { ...publicData(input.data) } }
  }

  async retrievePayment(input: Medusa.RetrievePaymentInput): Promise<Medusa.RetrievePaymentOutput> {
    return { data: { ...publicData(input.data) } }
  }

  async getPaymentStatus(
    input: Medusa.GetPaymentStatusInput,
  ): Promise<Medusa.GetPaymentStatusOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    return {
      status: money?.state === "completed" ? "captured" : "pending",
      data: { ...publicData(input.data) },
    }
  }

  /** The gateway has no webhooks, so a post here proves nothing (H18). */
  async getWebhookActionAndData(): Promise<Medusa.WebhookActionResult> {
    return { action: PaymentActions.NOT_SUPPORTED }
  }

  /**
   * The operation that holds a session's money, which is never answered as canceled or given back.
   * Medusa passes the id of the session, the payment, a capture or a refund as the key.
   */
  async #moneyOf(id: string) {
    if (id === "") return undefined
    return answered(async () => {
      const sessionId = await this.#deps.sessions.sessionOfPayment(idFrom(id))
      return findMoneyOfSession(this.#deps.database, sessionId ?? idFrom(id))
    })
  }
}

function keyIn(context: { idempotency_key?: string } | undefined): string {
  return context?.idempotency_key ?? ""
}

/** The one field of a session's public data that a storefront may write. */
const clientIn = (data: Record<string, unknown> | undefined) =>
  data?.["client"] === undefined ? {} : { client: data["client"] }

/** Keeps the plugin's three public fields and the storefront's `client`, and drops any other. */
function publicData(data: Record<string, unknown> | undefined): SessionData {
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return {
    state: text(data?.["state"]) ?? NOTHING_STARTED.state,
    url: text(data?.["url"]),
    reference: text(data?.["reference"]),
    ...clientIn(data),
  }
}

/**
 * Turns a refusal, of missing tables as well, into Medusa's error. The code precedes the sentence,
 * because Medusa passes on nothing else. Other errors are thrown unchanged.
 */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refused = error instanceof TablesNotMigrated ? error.refusal : error
    throw refused instanceof Refusal ? notAllowed(`${refused.code}: ${refused.message}`) : error
  }
}

const notAllowed = (text: string) => new MedusaError(MedusaError.Types.NOT_ALLOWED, text)

function requiresMore(sentence: string): MedusaError {
  return new MedusaError(MedusaError.Types.PAYMENT_REQUIRES_MORE_ERROR, sentence)
}
