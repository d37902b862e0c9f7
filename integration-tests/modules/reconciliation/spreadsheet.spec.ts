/**
 * What a spreadsheet program makes of each file: ids, phone numbers and documents arrive as they
 * were written, and amounts as numbers. LibreOffice opens the files where it is installed.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { idFrom, type AccountId, type OrderId } from "../../../src/core/ids"
import { accountantFile } from "../../../src/reconciliation/accountant-file"
import { listFile } from "../../../src/reconciliation/list-file"
import { periodFile } from "../../../src/reconciliation/period-file"
import { SHEET_EN } from "../../../src/core/messages/sheet.en"
import { SHEET_FR } from "../../../src/core/messages/sheet.fr"
import type { AccountReconciliation } from "../../../src/reconciliation/schemas/reconciliation"
import { fillWithMoney } from "../../support/moved-money"
import { useFlowsHarness } from "../../support/use-flows-harness"

const ROWS = 120
const PERIOD = { from: new Date("2026-08-01T00:00:00Z"), until: new Date("2026-11-04T00:00:00Z") }
const ORDER = idFrom<OrderId>("order_1")

/** Texts of digits alone that a program shows as something else, each in a column of texts. */
const TRANSACTION = "2519876543210987"
const DOCUMENT = "0012"
const PHONE_END = "007"
const PARTY = "12E45"

const ACCOUNT: AccountReconciliation = {
  account_id: idFrom<AccountId>("mpacc_env"),
  label: "Main",
  is_complete: true,
  incomplete_because: [],
  compared_at: "2026-11-04T01:00:00.000Z",
  counts: {},
  totals: [],
  differences: [],
  left_out: 0,
}

const deps = flows()

function flows() {
  const harness = useFlowsHarness({}, async ({ ledger: { sql } }) => {
    await fillWithMoney({ sql }, { lastDay: "2026-11-03", rows: ROWS, seed: 44 })
    await sql(
      `update mp_operation set provider_transaction_id = $1, source_number = $2, phone_hint = $3,
         carrier = $4, order_id = 'order_1', payment_method = null, recipient_name = null,
         counterparty_id = case when type in ('PAYOUT', 'TRANSFER') then 1234567890123456 end`,
      [TRANSACTION, DOCUMENT, PHONE_END, PARTY],
    )
  })
  return () => withNumbers(harness.deps)
}

/** Medusa's records in memory know no order's number. */
function withNumbers<T extends { readonly medusa: object }>(given: T): T {
  const orderNumbers = () => Promise.resolve(new Map([[ORDER, "1001"]]))
  return { ...given, medusa: { ...given.medusa, orderNumbers } }
}

type File = {
  readonly file: string
  readonly separator: "," | ";"
  readonly locale: number
  readonly lines: () => Promise<AsyncIterable<string>>
  /** By column: what each of its cells must arrive as. */
  readonly arriving: Readonly<Record<string, readonly ["text" | "number", string]>>
  readonly amounts: readonly string[]
}

const FILES: readonly File[] = [
  {
    file: "the list",
    separator: ",",
    locale: 1033,
    lines: () => listFile(deps(), {}),
    arriving: {
      transaction_id: ["text", TRANSACTION],
      document_number: ["text", DOCUMENT],
      phone_end: ["text", PHONE_END],
      order_number: ["number", "1001"],
    },
    amounts: ["amount", "gross", "fee", "net", "refunded", "payer_fee"],
  },
  {
    file: "the reconciliation",
    separator: ",",
    locale: 1033,
    lines: () =>
      Promise.resolve(
        periodFile(deps(), { ...PERIOD, accounts: [ACCOUNT], isDifferencesOnly: false }),
      ),
    arriving: { carrier: ["text", PARTY], order_number: ["number", "1001"] },
    amounts: ["gross", "fee", "net", "refunded", "gateway_amount", "ledger_amount"],
  },
  ...(
    [
      ["en", ",", 1033, SHEET_EN.head],
      ["fr", ";", 1036, SHEET_FR.head],
    ] as const
  ).map(([language, separator, locale, head]): File => ({
    file: `the accountant's sheet (${language})`,
    separator,
    locale,
    lines: async () =>
      (await accountantFile(deps(), { ...PERIOD, timeZone: "UTC", language })).lines,
    arriving: {
      [head.transaction]: ["text", TRANSACTION],
      [head.document]: ["text", DOCUMENT],
      [head.operator]: ["text", PARTY],
      [head.recipient]: ["text", "1234567890123456"],
      [head.order]: ["number", "1001"],
    },
    amounts: ["received", "fees", "refunded", "net", "sent", "payer_amount", "exchange_rate"].map(
      (name) => head[name as keyof typeof head],
    ),
  })),
]

async function textOf({ lines }: File): Promise<string> {
  let text = ""
  for await (const part of await lines()) text += part
  return text
}

type Cell = { readonly text: string; readonly isQuoted: boolean }

/** The rows of a file, each with its cells by the names of the first row. */
function rowsIn(text: string, separator: string): Readonly<Record<string, Cell>>[] {
  const cell = new RegExp(`${separator}(?:"((?:[^"]|"")*)"|([^${separator}"]*))`, "g")
  const [head = [], ...rows] = text
    .replace("\uFEFF", "")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      [...`${separator}${line}`.matchAll(cell)].map(([, quoted, plain = ""]) => ({
        text: quoted?.replaceAll('""', '"') ?? plain,
        isQuoted: quoted !== undefined,
      })),
    )
  return rows.map((cells) =>
    Object.fromEntries(head.map(({ text: name }, at) => [name, cells[at] ?? EMPTY])),
  )
}

const EMPTY: Cell = { text: "", isQuoted: false }

/** Each text of a column, once, without the empty ones. */
const textsIn = (rows: readonly Readonly<Record<string, Cell>>[], column: string) => [
  ...new Set(rows.flatMap((row) => row[column]?.text || [])),
]

const SOFFICE = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "soffice"))
  .find((path) => existsSync(path))

describe.each(FILES)("$file", (file) => {
  it("marks digits that are no number as texts, and writes amounts as plain numbers", async () => {
    const rows = rowsIn(await textOf(file), file.separator)
    expect(rows.length).toBeGreaterThan(ROWS / 3)
    for (const [column, [kind, text]] of Object.entries(file.arriving)) {
      expect([column, textsIn(rows, column)]).toEqual([
        column,
        [kind === "text" ? `'${text}` : text],
      ])
    }
    for (const column of file.amounts) {
      for (const text of textsIn(rows, column)) expect(text).toMatch(/^-?\d+([.,]\d+)?$/)
    }
  })

  const inLibreOffice = SOFFICE === undefined ? it.skip : it
  inLibreOffice(
    "arrives in LibreOffice with texts as texts and amounts as numbers (needs soffice)",
    async () => {
      const text = await textOf(file)
      const written = rowsIn(text, file.separator)
      const opened = rowsIn(await throughLibreOffice(text, file), ",")
      expect(opened).toHaveLength(written.length)
      for (const [column, [kind, expected]] of Object.entries(file.arriving)) {
        const cells = opened.flatMap((row) => (row[column]?.text ? [row[column]] : []))
        expect(cells.length).toBeGreaterThan(0)
        for (const cell of cells) {
          expect({ ...cell, text: cell.text.replace(/^'/, "") }).toEqual({
            text: expected,
            isQuoted: kind === "text",
          })
        }
      }
      for (const column of file.amounts) {
        const numbers = (rows: typeof opened) =>
          rows.map((row) => Number(row[column]?.text.replace(",", ".")))
        expect([column, numbers(opened)]).toEqual([column, numbers(written)])
        expect(opened.filter((row) => row[column]?.isQuoted)).toEqual([])
      }
    },
    120_000,
  )
})

/**
 * Opens a file as a person does whose LibreOffice has this language, and saves it again with every
 * text in quotes, so that what it took for a number has none.
 */
async function throughLibreOffice(text: string, { separator, locale }: File): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spreadsheet-"))
  try {
    await writeFile(join(folder, "in.csv"), text)
    const [utf8, quote, saved] = [76, 34, "Text - txt - csv (StarCalc)"]
    await promisify(execFile)(String(SOFFICE), [
      `-env:UserInstallation=file://${join(folder, "profile")}`,
      "--headless",
      `--infilter=CSV:${separator.charCodeAt(0)},${quote},${utf8},1,,${locale}`,
      ...["--convert-to", `csv:${saved}:44,${quote},${utf8},1,,0,true,false`],
      ...["--outdir", join(folder, "out"), join(folder, "in.csv")],
    ])
    return await readFile(join(folder, "out", "in.csv"), "utf8")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
