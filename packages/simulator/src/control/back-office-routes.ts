/** `/_simulator` routes for merchants, wallets, payment accounts and outgoing money. */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import { WALLET_STATES } from "../book/money-records"
import type { BackOffice } from "./back-office"

const Id = z.object({ id: z.coerce.number().int() })
const Verified = z.object({ isVerified: z.boolean() })
const Key = z.object({ clientId: z.string() })
const State = z.object({ state: z.enum(WALLET_STATES) })
const Deposit = z.object({ amount: z.number() })
const Active = z.object({ isActive: z.boolean() })
const Reference = z.object({ reference: z.string() })
const End = z.object({ status: z.enum(["COMPLETED", "FAILED"]) })

export function openBackOffice(
  app: FastifyInstance,
  { backOffice }: { backOffice: BackOffice },
): void {
  app.get("/_simulator/merchants", () => backOffice.merchants())
  app.post("/_simulator/merchants/:id/verified", ({ params, body }) => {
    backOffice.setVerified(Id.parse(params).id, Verified.parse(body).isVerified)
    return {}
  })
  app.post("/_simulator/rotate-key", ({ body }) => backOffice.rotateKey(Key.parse(body).clientId))
  app.get("/_simulator/wallets", () => backOffice.wallets())
  app.post("/_simulator/wallets/:id/state", ({ params, body }) =>
    backOffice.setWalletState(Id.parse(params).id, State.parse(body).state),
  )
  app.post("/_simulator/wallets/:id/deposit", ({ params, body }) =>
    backOffice.deposit(Id.parse(params).id, Deposit.parse(body).amount),
  )
  app.post("/_simulator/payment-accounts/:id/active", ({ params, body }) => {
    backOffice.setAccountActive(Id.parse(params).id, Active.parse(body).isActive)
    return {}
  })
  app.post("/_simulator/money-out/:reference/settle", ({ params, body }) =>
    backOffice.settle(Reference.parse(params).reference, End.parse(body).status),
  )
}
