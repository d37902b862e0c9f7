/**
 * The pages for people: front page, handset, hosted payment page, receipt. Forms answer with a
 * redirect.
 */
import type { FastifyInstance, FastifyReply } from "fastify"
import { z } from "zod"

import { viewOf } from "../book/view"
import type { Document, Execution } from "../book/records"
import { decimalText, type Money } from "../money"
import { hasPaymentPage, returnAddress } from "../rules/checkouts"
import { partyOf, totalOf } from "../rules/documents"
import { isVerified } from "../rules/gates"
import { answerPrompt, isWaiting, NoPrompt, promptsOf, waitingPrompts } from "../rules/handset"
import {
  cardCharge,
  HostedRefusal,
  hostedStateOf,
  payHosted,
  type HostedPayment,
} from "../rules/hosted"
import { typedPhone } from "../rules/operators"
import { paymentOf } from "../rules/receipts"
import { stepAt } from "../rules/timeline"
import type { World } from "../world"
import { handsetPage, promptList, type Prompt } from "./handset-page"
import {
  cardPage,
  hostedPage,
  leftPage,
  restrictedPage,
  unknownPage,
  type Hosted,
} from "./hosted-page"
import { send } from "./html"
import { indexPage } from "./index-page"
import { shownAmount } from "./layout"
import { openPortal } from "./portal-routes"
import { receiptPage } from "./receipt-page"

const RECENT_PROMPTS = 10

const HandsetQuery = z.object({ phone: z.string().optional(), fragment: z.string().optional() })
const HandsetAnswer = z.object({
  reference: z.string(),
  phone: z.string().default(""),
  answer: z.enum(["approve", "decline"]),
})
const Token = z.object({ token: z.string() })
const PhoneForm = z.object({ phone: z.string() })
const CardForm = z.object({ answer: z.enum(["pay", "decline"]) })

export function openPages(app: FastifyInstance, world: World): void {
  app.get("/", (_, reply) => send(reply, indexPage(world.publicUrl())))
  openHandset(app, world)
  openHosted(app, world)
  openPortal(app, world)
  openReceipts(app, world)
}

function openHandset(app: FastifyInstance, world: World): void {
  const view = viewOf(world)
  const shown = (executions: readonly Execution[]): Prompt[] =>
    executions.flatMap(({ reference, ownerId }) => {
      const execution = view.execution(reference)
      const source = execution && view.document(execution.sourceId)
      return source ? [{ execution, source, merchantName: merchantName(world, ownerId) }] : []
    })

  app.get("/handset", ({ query }, reply) => {
    const { phone: typed = "", fragment } = HandsetQuery.parse(query)
    const phone = typedPhone(typed) || undefined
    const waiting = shown(waitingPrompts(world, phone))
    const answered = promptsOf(world, phone).filter((prompt) => !isWaiting(world, prompt))
    const recent = shown(answered.slice(-RECENT_PROMPTS).reverse())
    return fragment === undefined
      ? send(reply, handsetPage(waiting, recent, phone))
      : send(reply, promptList(waiting, recent, phone).text)
  })

  app.post("/handset/answer", ({ body }, reply) => {
    const { reference, phone, answer } = HandsetAnswer.parse(body)
    try {
      answerPrompt(world, { reference }, answer === "approve")
    } catch (error) {
      // Another tab has answered the prompt; the page shows the result.
      if (!(error instanceof NoPrompt)) throw error
    }
    const query = phone ? `?phone=${encodeURIComponent(phone)}` : ""
    return reply.redirect(`/handset${query}`, 303)
  })
}

function openHosted(app: FastifyInstance, world: World): void {
  const documentOf = (params: unknown) => {
    const document = world.book.documentByToken(Token.parse(params).token)
    return document && hasPaymentPage(world, document) ? document : undefined
  }

  const shown = (
    reply: FastifyReply,
    params: unknown,
    use: (document: Document) => FastifyReply,
  ) => {
    const document = documentOf(params)
    if (!document) return send(reply, unknownPage(), 404)
    return isVerified(world, document.ownerId)
      ? use(document)
      : send(reply, restrictedPage(merchantName(world, document.ownerId)), 403)
  }

  app.get("/pay/:token", ({ params }, reply) =>
    shown(reply, params, (document) =>
      send(reply, hostedPage(hostedOf(world, document, lastProblem(world, document)))),
    ),
  )

  app.get("/pay/:token/state", ({ params }, reply) => {
    const document = documentOf(params)
    if (!document) return reply.code(404).send({ detail: "Not found" })
    const state = hostedStateOf(world, document)
    const successUrl = state === "PAID" ? returnAddress(world, document, "successUrl") : null
    return reply
      .header("cache-control", "no-store")
      .send({ state, next: successUrl ?? pathOf(document) })
  })

  app.get("/pay/:token/card", ({ params }, reply) =>
    shown(reply, params, (document) => {
      const hosted = hostedOf(world, document, null)
      if (hosted.state !== "ACTIVE") return send(reply, hostedPage(hosted))
      return send(reply, cardPage({ ...hosted, charge: shownMoney(cardCharge(world, document)) }))
    }),
  )

  app.get("/pay/:token/left", ({ params }, reply) =>
    shown(reply, params, (document) => {
      const hosted = hostedOf(world, document, null)
      // Another tab has paid; "nothing was charged" would be wrong.
      return send(reply, hosted.state === "ACTIVE" ? leftPage() : hostedPage(hosted))
    }),
  )

  const pay = (reply: FastifyReply, params: unknown, payment: HostedPayment) =>
    shown(reply, params, (document) => {
      try {
        payHosted(world, document, payment)
      } catch (error) {
        if (!(error instanceof HostedRefusal)) throw error
        return send(reply, hostedPage(hostedOf(world, document, error.message)), 422)
      }
      return reply.redirect(pathOf(document), 303)
    })

  app.post("/pay/:token/mobile-money", ({ params, body }, reply) =>
    pay(reply, params, { method: "mobile_money", phone: PhoneForm.parse(body).phone }),
  )
  app.post("/pay/:token/card", ({ params, body }, reply) => {
    const outcome = CardForm.parse(body).answer === "pay" ? "approve" : "decline"
    return pay(reply, params, { method: "card", outcome })
  })
}

function openReceipts(app: FastifyInstance, world: World): void {
  app.get("/receipt/:token", ({ params }, reply) => {
    const document = world.book.documentByToken(Token.parse(params).token)
    const payment = document && paymentOf(world, document)
    if (!payment) return send(reply, unknownPage(), 404)
    const receipt = {
      document,
      payment,
      merchantName: merchantName(world, document.ownerId),
      payerName: partyOf(world, document).name,
      total: decimalText(totalOf(document)),
    }
    return send(reply, receiptPage(receipt))
  })
}

const pathOf = ({ token }: Document): string => `/pay/${token}`

const merchantName = (world: World, ownerId: number): string =>
  world.settings.merchants.find((merchant) => merchant.ownerId === ownerId)?.name ?? "A merchant"

function hostedOf(world: World, document: Document, problem: string | null): Hosted {
  const executions = world.book.executionsOf(document.id)
  const nowMs = world.time.nowMs()
  const running =
    executions
      .filter(({ steps }) => ["PENDING", "PROCESSING"].includes(stepAt(steps, nowMs).status))
      .at(-1) ?? null
  const charged = running ?? paymentOf(world, document)?.execution
  return {
    document,
    state: hostedStateOf(world, document),
    path: pathOf(document),
    successUrl: returnAddress(world, document, "successUrl"),
    cancelUrl: returnAddress(world, document, "cancelUrl"),
    merchantName: merchantName(world, document.ownerId),
    total: decimalText(totalOf(document)),
    phone: executions.at(-1)?.phone ?? partyOf(world, document).phone,
    problem,
    running,
    charge: charged
      ? shownMoney({ minor: charged.payerMinor, currency: charged.payerCurrency })
      : null,
  }
}

const shownMoney = (money: Money): string => shownAmount(decimalText(money), money.currency)

/** Why the newest payment failed, while the source can be paid again. */
function lastProblem(world: World, document: Document): string | null {
  const last = world.book.executionsOf(document.id).at(-1)
  if (!last) return null
  const { status, message } = stepAt(last.steps, world.time.nowMs())
  return status === "FAILED" ? `${message ?? "Payment failed"}. Nothing was charged.` : null
}
