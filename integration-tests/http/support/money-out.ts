/** Where money that goes out comes from, and where it goes. */
import { createGateway } from "../../../src/gateway"
import { CREDENTIALS, type Harness } from "./harness"

/** The merchant's own wallet, and a partner who was made just now, as the body of a transfer. */
export async function walletsOf({ simulator }: Harness, phone: string) {
  const gateway = createGateway({ baseUrl: simulator.url, ...CREDENTIALS })
  try {
    const party = await gateway.parties.create({ fullname: "Branch", phone: phone.slice(1) })
    if (party.kind !== "done") throw party.error
    const made = await gateway.counterparties.create({
      relationshipType: "PARTNER",
      partyId: party.value.id,
    })
    if (made.kind !== "done") throw made.error
    const wallet = simulator.book
      .wallets()
      .find(({ currency, ownerId }) => currency === "USD" && ownerId === 1)
    return { from_wallet_id: wallet?.id ?? 0, to_counterparty_id: made.value.id }
  } finally {
    await gateway.close()
  }
}
