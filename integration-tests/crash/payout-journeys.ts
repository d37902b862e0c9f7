/**
 * How an admin sends money out, and presses again under the same key when the process died.
 * Whatever dies on the way, no more than one leaves, and the ledger ends up saying what the gateway
 * did.
 */
import { steps } from "../histories/commands"
import type { Act } from "../histories/messages"
import { LATE_PHONE, PASSCODE, PHONE } from "../histories/secrets"
import type { Harness } from "./harness"
import { TWO_ADMINS, WAITING_REQUEST } from "./harness-sql"
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

/** Pressed again, whatever the answer. */
const payOut = steps<Harness>(["send", PAYOUT], ["send", PAYOUT], ["quiet"])

/** Also frozen at each of its moments. */
export const PAYOUT_JOURNEY: Journey = {
  name: "paid out",
  play: payOut,
}

/** Another admin approves what waits, by a double click: each click in a process of its own. */
async function approveTwice(harness: Harness): Promise<void> {
  const { ledger, survivors } = harness.cast
  const [row] = await ledger.sql(WAITING_REQUEST)
  if (!row) return
  const act: Act = { act: "approve", requestId: String(row["id"]), adminId: "user_bea" }
  await Promise.all([harness.send(act), survivors[1]?.ask(act)])
  // A page that still shows the request: one whose process died presses there again.
  await harness.send(act)
}

const sendTransfer = (harness: Harness) => harness.send(transfer(harness))

export const TRANSFER_JOURNEY: Journey = {
  name: "transferred",
  play: steps(["start", "phone"], ["quiet"], sendTransfer, sendTransfer, ["quiet"]),
}

const PAYOUT_FAULTS: readonly [name: string, faults: NonNullable<Journey["faults"]>][] = [
  ["paid out, the answer lost", { executePayout: ["reset:after"] }],
  ["paid out, and never arrived", { executePayout: ["reset:before"] }],
  ["a payout that is refused", { executePayout: ["422"] }],
  ["a payout without a session", { createPayoutSession: ["422"] }],
]

export const PAYOUT_JOURNEYS: readonly Journey[] = [
  PAYOUT_JOURNEY,
  ...PAYOUT_FAULTS.map(([name, faults]): Journey => ({ name, faults, play: payOut })),
  {
    name: "gone out after it had failed, and accepted by an admin",
    play: steps(["send", LATE_PAYOUT], ["quiet"], ["resolve", "accept", "PAYOUT"], ["quiet"]),
  },
  {
    name: "paid out by two admins, approved by a double click, and asked for again",
    play: steps(
      ({ cast }: Harness) => cast.ledger.sql(TWO_ADMINS),
      ["send", PAYOUT],
      approveTwice,
      ["send", PAYOUT],
      approveTwice,
      ["quiet"],
    ),
  },
  TRANSFER_JOURNEY,
]
