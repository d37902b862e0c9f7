/**
 * What the oracle sees of each gateway: its book, and what the ledger has made there. Two gateways
 * number from the same beginning, so a number says nothing without its gateway.
 */
import type { Evidence, LedgerEvidence } from "../support/evidence"
import type { Harness } from "./harness"
import type { Cast } from "./setup"

/** Made with a credential of the gateway at this address. */
const MADE_AT = `
  select o.id from mp_operation o join mp_credential c on c.id = o.credential_id
   where c.base_url = $1`

/** Each payment of Medusa goes with the gateway that took its money. */
export async function perGateway(
  { ledger }: Cast,
  { movedTo }: Harness,
  evidence: Evidence,
): Promise<readonly Evidence[]> {
  if (!movedTo) return [evidence]
  const rows = await ledger.sql(MADE_AT, [movedTo.url])
  const there = new Set(rows.map(({ id }) => String(id)))
  const sessions = new Set(
    evidence.ledger.operations
      .filter(({ id }) => there.has(id))
      .flatMap(({ sessionId, sessionIds = [] }) => [sessionId, ...sessionIds]),
  )
  const of = (isMoved: boolean): Evidence => ({
    ...evidence,
    ledger: only(evidence.ledger, (id) => there.has(id) === isMoved),
    ...(evidence.medusa
      ? {
          medusa: {
            ...evidence.medusa,
            payments: evidence.medusa.payments.filter(
              ({ sessionId }) => sessions.has(sessionId) === isMoved,
            ),
          },
        }
      : {}),
  })
  return [of(false), { ...of(true), book: movedTo.book }]
}

function only(ledger: LedgerEvidence, isIn: (id: string) => boolean): LedgerEvidence {
  return {
    ...ledger,
    operations: ledger.operations.filter(({ id }) => isIn(id)),
    events: ledger.events.filter(({ operationId }) => isIn(operationId)),
  }
}
