/**
 * The time in which the gateway refuses the secret that the shop has. It says nothing of any payment
 * then, so none may be called failed that it goes on with.
 */
import { openSecret } from "../../../src/accounts/kept-secret"
import { listStoredAccounts } from "../../../src/ledger/accounts/stored-accounts"
import { testBox } from "../../support/test-box"
import type { World } from "./world"

const FAILED = `
  select id, reference from mp_operation where type = 'COLLECTION' and state = 'failed'
     and dismissed_at is null and reference is not null`

const ENDED = "FAILED"

export class RefusedClient {
  private failed: readonly string[] = []
  private wasRefused = false

  constructor(private readonly world: Pick<World, "ledger" | "secret" | "simulator">) {}

  async isRefused(): Promise<boolean> {
    const { ledger, secret } = this.world
    const [stored] = await listStoredAccounts(ledger.database)
    const opened = openSecret(testBox, stored?.credential ?? null)
    return opened.state !== "ready" || opened.secret !== secret.now
  }

  /** @returns each payment that was called failed meanwhile, though the gateway goes on with it */
  async watch(): Promise<string[]> {
    const { ledger, simulator } = this.world
    const isRefused = await this.isRefused()
    const rows = await ledger.sql(FAILED)
    const fresh = rows.filter(({ id }) => !this.failed.includes(String(id)))
    const wasAlways = this.wasRefused && isRefused
    this.wasRefused = isRefused
    this.failed = rows.map(({ id }) => String(id))
    if (!wasAlways) return []
    const executions = simulator.book.executions()
    return fresh.flatMap(({ id, reference }) => {
      const one = executions.find((execution) => execution.reference === reference)
      return one && one.status !== ENDED
        ? [`I2: ${String(id)} was called failed while the gateway refused the client`]
        : []
    })
  }
}
