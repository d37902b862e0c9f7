/**
 * Routes of the merchant portal. Forms answer with a redirect, except where a new secret is
 * displayed.
 */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import type { MoneyOutView } from "../book/money-out-view"
import { WALLET_STATES } from "../book/money-records"
import { viewOf, type ExecutionView } from "../book/view"
import { backOfficeOf } from "../control/back-office"
import type { World } from "../world"
import { send } from "./html"
import { logInPage, portalPage, unknownMerchantPage, type Portal } from "./portal-page"
import type { Transaction } from "./portal-transactions"

const SHOWN_TRANSACTIONS = 100

const Owner = z.object({ ownerId: z.coerce.number().int() })
const WalletPath = Owner.extend({ walletId: z.coerce.number().int() })
const Query = z.object({ find: z.string().trim().default("") })
const VerifiedForm = z.object({ isVerified: z.enum(["true", "false"]) })
const KeyForm = z.object({ clientId: z.string() })
const StateForm = z.object({ state: z.enum(WALLET_STATES) })

export function openPortal(app: FastifyInstance, world: World): void {
  const backOffice = backOfficeOf(world)
  const merchantOf = (params: unknown) => {
    const { ownerId } = Owner.parse(params)
    return backOffice.merchants().find((merchant) => merchant.ownerId === ownerId)
  }
  const portalOf = (
    params: unknown,
    find: string,
    newSecret: Portal["newSecret"] = null,
  ): Portal | undefined => {
    const merchant = merchantOf(params)
    if (!merchant) return undefined
    const wallets = backOffice.wallets().filter(({ ownerId }) => ownerId === merchant.ownerId)
    const fitting = transactionsOf(world, merchant.ownerId).filter((one) => fits(one, find))
    const transactions = fitting.slice(0, SHOWN_TRANSACTIONS)
    const hidden = fitting.length - transactions.length
    return { merchant, wallets, transactions, find, hidden, newSecret }
  }

  app.get("/portal", (_, reply) => send(reply, logInPage(backOffice.merchants())))

  app.get("/portal/:ownerId", ({ params, query }, reply) => {
    const portal = portalOf(params, Query.parse(query).find)
    return portal ? send(reply, portalPage(portal)) : send(reply, unknownMerchantPage(), 404)
  })

  app.post("/portal/:ownerId/verified", ({ params, body }, reply) => {
    const merchant = merchantOf(params)
    if (!merchant) return send(reply, unknownMerchantPage(), 404)
    backOffice.setVerified(merchant.ownerId, VerifiedForm.parse(body).isVerified === "true")
    return reply.redirect(`/portal/${merchant.ownerId}`, 303)
  })

  app.post("/portal/:ownerId/wallets/:walletId/state", ({ params, body }, reply) => {
    const merchant = merchantOf(params)
    const { walletId } = WalletPath.parse(params)
    const isTheirs = backOffice
      .wallets()
      .some(({ id, ownerId }) => id === walletId && ownerId === merchant?.ownerId)
    if (!merchant || !isTheirs) return send(reply, unknownMerchantPage(), 404)
    backOffice.setWalletState(walletId, StateForm.parse(body).state)
    return reply.redirect(`/portal/${merchant.ownerId}`, 303)
  })

  app.post("/portal/:ownerId/rotate-key", ({ params, body }, reply) => {
    const { clientId } = KeyForm.parse(body)
    if (!merchantOf(params)?.clientIds.includes(clientId)) {
      return send(reply, unknownMerchantPage(), 404)
    }
    const portal = portalOf(params, "", { clientId, ...backOffice.rotateKey(clientId) })
    return portal ? send(reply, portalPage(portal)) : send(reply, unknownMerchantPage(), 404)
  })
}

/** A merchant's transactions, newest first; at the same moment the higher intent comes first. */
function transactionsOf(world: World, ownerId: number): Transaction[] {
  const view = viewOf(world)
  const collections = view
    .executions()
    .filter(({ reference }) => world.book.executions.get(reference)?.ownerId === ownerId)
    .map((execution) => collectionShown(execution, view.document(execution.sourceId)?.number))
  const out = [...view.refunds(), ...view.payouts(), ...view.transfers()]
    .filter((moneyOut) => moneyOut.ownerId === ownerId)
    .map(moneyOutShown)
  return [...collections, ...out].sort(
    (one, other) =>
      other.createdAtMs - one.createdAtMs || other.paymentIntentId - one.paymentIntentId,
  )
}

const collectionShown = (execution: ExecutionView, sourceNumber = ""): Transaction => ({
  ...execution,
  type: "COLLECTION",
  reference: execution.channel === "api" ? execution.reference : null,
  sourceNumber,
  originalPaymentIntentId: null,
})

const moneyOutShown = (moneyOut: MoneyOutView): Transaction => ({
  ...moneyOut,
  type: moneyOut.operationType,
  sourceNumber: null,
  sourceReferenceId: null,
})

const fits = (transaction: Transaction, find: string): boolean =>
  [
    String(transaction.paymentIntentId),
    transaction.reference,
    transaction.sourceNumber,
    transaction.sourceReferenceId,
    transaction.phone,
  ].some((text) => text?.toLowerCase().includes(find.toLowerCase()))
