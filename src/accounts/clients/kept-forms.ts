/**
 * Stores the forms of answers that the contract does not show, some seconds after the first one and
 * in one statement. No call to the gateway waits for it. If storing fails, the client reports the
 * form again within the hour.
 */
import { LIMITS } from "../../core/limits"
import type { NewForm } from "../../gateway"
import { keepGatewayForms, type MetForm } from "../../ledger/accounts/gateway-forms"
import type { Database } from "../../ledger/database"

type Told = Pick<MetForm, "accountId" | "wireNames"> & { readonly form: NewForm }

/** @returns a function that queues one form to be stored */
export function keptForms(database: Database): (told: Told) => void {
  let forms = new Map<string, MetForm>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const written = [...forms.values()]
    forms = new Map()
    await keepGatewayForms(database, written).catch(() => undefined)
  }

  return ({ accountId, wireNames, form: { operation, field, kind } }) => {
    const key = [accountId, operation, field, kind].join(" ")
    forms.set(key, { accountId, operation, field, kind, wireNames })
    timer ??= setTimeout(() => void flush(), LIMITS.callCountsEveryMs).unref()
  }
}
