/**
 * What both providers do: answer Medusa from the ledger. They never settle; `start` takes money, the job
 * records it, and only a refund calls the gateway from here. Session `data` that comes in is not read.
 */
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types"
import { AbstractPaymentProvider, PaymentActions } from "@medusajs/framework/utils"
import { authorize, moneyOf, NOTHING_STARTED } from "../../flows/answer-medusa"
import type { SessionData } from "../../flows/host"
import { refundForMedusa } from "../../flows/refund/refund-for-medusa"
import {
  providerFlowsFrom,
  type ProviderContainer,
  type ProviderDeps,
} from "../../modules/merchant-payments/wiring/flows-from"
import { asMedusaError, cancelHoldsMoney, notCaptured, requiresMore } from "./answers"

export abstract class MerchantPaymentsProvider extends AbstractPaymentProvider {
  readonly #deps: ProviderDeps

  constructor(container: ProviderContainer, options?: Record<string, unknown>) {
    super(container, options)
    this.#deps = providerFlowsFrom(container)
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return { id: keyIn(input.context), data: { ...NOTHING_STARTED }, status: "pending" }
  }

  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return { data: { ...publicData(input.data) } }
  }

  /** Gets `data` only, so it can't know what to close; the guard and the sweep do (H4, H5). */
  async deletePayment(_input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return { data: {} }
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const session = await this.#deps.sessions.payable(keyIn(input.context))
    if (!session) throw requiresMore("This payment session is not known any more.")
    const answer = await authorize(this.#deps, session, session)
    if (answer.kind === "requires_more") throw requiresMore(answer.sentence)
    return { status: answer.kind, data: { ...answer.data } }
  }

  /** Ours are captured when they are authorized; asked all the same, the ledger answers. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    if (money?.state !== "completed") throw notCaptured()
    return { data: { ...publicData(input.data) } }
  }

  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    if (money) throw cancelHoldsMoney(money)
    return { data: { ...publicData(input.data) } }
  }

  /**
   * Medusa's amount and data are not read: its own row, by its id, says what is asked for. What is answered
   * replaces the payment's data (H9).
   */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    try {
      await refundForMedusa(this.#deps, keyIn(input.context))
    } catch (error) {
      throw asMedusaError(error)
    }
    return { data: { ...publicData(input.data) } }
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...publicData(input.data) } }
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const money = await this.#moneyOf(keyIn(input.context))
    return {
      status: money?.state === "completed" ? "captured" : "pending",
      data: { ...publicData(input.data) },
    }
  }

  /** The gateway has no webhooks: whatever is posted here is nobody's word (H18). */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: PaymentActions.NOT_SUPPORTED }
  }

  /** Medusa gives the id of the session, of the payment, of a capture or of a refund as the key. */
  async #moneyOf(id: string) {
    if (id === "") return undefined
    const sessionId = (await this.#deps.sessions.sessionOfPayment(id)) ?? id
    return moneyOf(this.#deps, sessionId)
  }
}

function keyIn(context: { idempotency_key?: string } | undefined): string {
  return context?.idempotency_key ?? ""
}

/** Our three public fields, as they were; anything else that a storefront put there is dropped. */
function publicData(data: Record<string, unknown> | undefined): SessionData {
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return {
    state: text(data?.["state"]) ?? NOTHING_STARTED.state,
    url: text(data?.["url"]),
    reference: text(data?.["reference"]),
  }
}
