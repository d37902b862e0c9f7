/** The file of the sides as its reader has it, and rows enough for more than one page of it. */
import type { FlowDeps } from "../../src/engine/deps"
import { COLUMNS, periodFile, type FileAsked } from "../../src/reconciliation/period-file"
import type { LedgerDatabase } from "./ledger-database"

/** A row for each line, by column; that the head is right is expected here. */
export async function readPeriodFile(
  deps: FlowDeps,
  asked: FileAsked,
): Promise<Record<string, string>[]> {
  let text = ""
  for await (const part of periodFile(deps, asked)) text += part
  expect(text.startsWith(`\uFEFF${COLUMNS.join(",")}\r\n`)).toBe(true)
  return text
    .slice(1)
    .split("\r\n")
    .slice(1, -1)
    .map((line) => {
      const cells = line.split(",")
      expect(cells).toHaveLength(COLUMNS.length)
      return Object.fromEntries(COLUMNS.map((column, n) => [column, cells[n] ?? ""]))
    })
}

/** Given back on the same microsecond: completed, and of no interest to a comparison. */
export async function manyAtOnce(
  ledger: Pick<LedgerDatabase, "sql">,
  count: number,
  accountId = "mpacc_env",
): Promise<string[]> {
  const rows = await ledger.sql(
    `insert into mp_operation (id, type, state, flow, account_id, provider_id, cart_id,
       payment_collection_id, payment_session_id, currency_code, amount_minor, collected_minor,
       source_type, source_id, reference, submitted_at, expires_at, returned_at)
     select 'mpop_many_' || n, 'COLLECTION', 'completed', 'push', $2, 'p', 'cart_many',
       'pay_col_many_' || n, 'payses_many_' || n, 'RWF', 1, 1, 'ORDER', 900000 + n,
       gen_random_uuid(), now(), now(), now()
       from generate_series(1, $1::int) n returning id`,
    [count, accountId],
  )
  return rows.map(({ id }) => String(id))
}
