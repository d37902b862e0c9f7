/**
 * Shares a client's token between the processes of a store, through the ledger. Without a key to
 * seal it with, each process uses a token of its own.
 *
 * A token is sealed for the client and its secret. An account with another secret for the same
 * client can't read it, and has to prove that secret at the gateway.
 */
import { createHash, randomUUID } from "node:crypto"
import type { SecretBox } from "../../core/secret-box"
import type { GatewayOptions, TokenStore } from "../../gateway"
import type { Database } from "../../ledger/database"
import {
  claimGatewayToken,
  findGatewayToken,
  giveUpGatewayToken,
  keepGatewayToken,
} from "../../ledger/gateway-tokens"

type Client = Pick<GatewayOptions, "baseUrl" | "clientId" | "clientSecret">

export function sharedTokens(
  { database, box }: { readonly database: Database; readonly box: SecretBox },
  { baseUrl, clientId, clientSecret }: Client,
): TokenStore | undefined {
  if (box.keyId === null) return undefined
  const client = digestOf([baseUrl, clientId])
  const about = `mp_gateway_token ${digestOf([client, clientSecret])}`
  return {
    async read() {
      const { version, sealed, minutes, ageMs } = await findGatewayToken(database, client)
      const accessToken = sealed ? box.open(sealed, about) : undefined
      return {
        version,
        ...(accessToken !== undefined && { token: { accessToken, minutes, ageMs } }),
      }
    },
    async claim(version) {
      const claim = randomUUID()
      const answer = await claimGatewayToken(database, client, { version, claim })
      if (answer === "granted") return { kind: "granted", claim }
      return answer === "taken" ? { kind: "taken" } : { kind: "spent", ...answer }
    },
    async keep({ accessToken, minutes }) {
      const sealed = box.seal(accessToken, about)
      if (sealed) await keepGatewayToken(database, client, { sealed, minutes })
    },
    giveUp: (claim) => giveUpGatewayToken(database, client, claim),
  }
}

const digestOf = (parts: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")
