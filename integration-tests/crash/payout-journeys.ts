/**
 * How an admin sends money out, and presses again under the same key when the process died.
 * Whatever dies on the way, no more than one leaves, and the ledger ends up saying what the gateway
 * did.
 */
import type { Act } from "./messages"
import { LATE_PHONE, PASSCODE, PHONE } from "./secrets"
import type { Harness } from "./harness"
import type { Journey } from "./journeys"

const asked = { note: undefined, askedBy: "user_admin", currency: "USD", amount: "5.00" }

const payoutTo = (phone: string): Act => ({
  act: "payout",
  request: {
    ...asked,
    idempotencyKey: "the-carpenters-bill",
    name: "Ada Carpenter",
    phone,
    countryCode: undefined,
    passcode: {
      token: { code: PASSCODE },
      device: {
        name: "till",
        type: "SERVER",
        platform: "NODE",
        userAgent: "shop",
        clientIp: "192.0.2.1",
      },
    },
  },
})

const PAYOUT = payoutTo(PHONE)
/** Fails after 3 s, and arrives a minute later: the simulator knows such numbers by their end. */
const LATE_PAYOUT = payoutTo(LATE_PHONE)

/** To whom the shop has sold something. */
function transfer({ simulator }: Harness): Act {
  const wallet = simulator.book.wallets().find(({ currency }) => currency === "USD")
  const [counterparty] = simulator.snapshot().counterparties
  return {
    act: "transfer",
    request: {
      ...asked,
      idempotencyKey: "the-branchs-share",
      fromWalletId: wallet?.id ?? 0,
      toCounterpartyId: counterparty?.id ?? 0,
    },
  }
}

/** Pressed again whatever was answered. */
async function payOut(harness: Harness): Promise<void> {
  await harness.send(PAYOUT)
  await harness.send(PAYOUT)
  await harness.quiet()
}

/** Also frozen at each of its moments. */
export const PAYOUT_JOURNEY: Journey = {
  name: "paid out",
  play: payOut,
}

export const TRANSFER_JOURNEY: Journey = {
  name: "transferred",
  async play(harness) {
    await harness.start("phone")
    await harness.quiet()
    for (let times = 0; times < 2; times++) await harness.send(transfer(harness))
    await harness.quiet()
  },
}

export const PAYOUT_JOURNEYS: readonly Journey[] = [
  PAYOUT_JOURNEY,
  {
    name: "paid out, the answer lost",
    faults: { executePayout: ["reset:after"] },
    play: payOut,
  },
  {
    name: "paid out, and never arrived",
    faults: { executePayout: ["reset:before"] },
    play: payOut,
  },
  {
    name: "a payout that is refused",
    faults: { executePayout: ["422"] },
    play: payOut,
  },
  {
    name: "a payout without a session",
    faults: { createPayoutSession: ["422"] },
    play: payOut,
  },
  {
    name: "gone out after it had failed, and accepted by a person",
    async play(harness) {
      await harness.send(LATE_PAYOUT)
      await harness.quiet()
      await harness.resolve("accept", "PAYOUT")
      await harness.quiet()
    },
  },
  TRANSFER_JOURNEY,
]
