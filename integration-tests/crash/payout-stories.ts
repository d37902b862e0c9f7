/**
 * How an admin sends money out, and presses again under the same key when the process died.
 * Whatever dies on the way, no more than one leaves, and the ledger ends up saying what the gateway
 * did.
 */
import type { Act } from "./messages"
import { LATE_PHONE, PASSCODE, PHONE } from "./secrets"
import type { Stage } from "./stage"
import type { Story } from "./stories"

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
function transfer({ simulator }: Stage): Act {
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
async function payOut(stage: Stage): Promise<void> {
  await stage.send(PAYOUT)
  await stage.send(PAYOUT)
  await stage.quiet()
}

/** Also frozen at each of its moments. */
export const PAYOUT_STORY: Story = {
  name: "paid out",
  play: payOut,
}

export const PAYOUT_STORIES: readonly Story[] = [
  PAYOUT_STORY,
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
    async play(stage) {
      await stage.send(LATE_PAYOUT)
      await stage.quiet()
      await stage.resolve("accept", "PAYOUT")
      await stage.quiet()
    },
  },
  {
    name: "transferred",
    async play(stage) {
      await stage.start("phone")
      await stage.quiet()
      for (let times = 0; times < 2; times++) await stage.send(transfer(stage))
      await stage.quiet()
    },
  },
]
