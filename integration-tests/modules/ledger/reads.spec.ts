/** Which of several operations a collection, a session, a cart or an order shows. */
import { randomUUID } from "node:crypto"
import { types } from "pg"
import {
  accountById,
  accountFor,
  listAccounts,
  saveAccount,
} from "../../../src/ledger/accounts/find-accounts"
import {
  findByCollection,
  findByReturnToken,
  findBySession,
  findEndedWithOpenSource,
  findLiveBeside,
  findLiveOfCollection,
  findMoneyOfOrder,
  findMoneyOfSession,
} from "../../../src/ledger/find-operations"
import { columnsOf, OPERATION_COLUMNS } from "../../../src/ledger/operation-row"
import { BESIDE, COLUMNS, type Fields } from "../../../src/core/operation-columns"
import { rebindOperation } from "../../../src/checkout/sql/rebind-operation"
import { currency } from "../../support/an-operation"
import {
  drafted,
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const RECORDED = "state = 'completed', recorded_at = now(), next_check_at = null"
const RETURNED = "state = 'completed', returned_at = now()"
const REVIEW = "state = 'review'"
/** A review, and a duplicate payment. */
const DUPLICATE = "state = 'review' "
const LIVE = "state = 'in_flight'"
const FAILED = "state = 'failed'"
const EXPIRED = "state = 'expired'"

/** Operations of one collection, oldest first, put as named; the session is the same for all. */
async function collection(...sets: string[]) {
  const paymentCollectionId = `pay_col_${randomUUID()}`
  const paymentSessionId = `payses_${randomUUID()}`
  const ids: string[] = []
  for (const index of sets.keys()) {
    const { id } = await submitted(ledger.database, { paymentCollectionId, paymentSessionId })
    // Out of the way of the next, then as named.
    await ledger.sql("update mp_operation set is_duplicate = true where id = $1", [id])
    await ledger.sql(
      `update mp_operation set created_at = now() + $2 * interval '1 s' where id = $1`,
      [id, index],
    )
    ids.push(id)
  }
  for (const [index, set] of sets.entries()) {
    const isDuplicate = set === DUPLICATE
    await ledger.sql(
      `update mp_operation set ${set}, is_duplicate = ${isDuplicate} where id = $1`,
      [ids[index]],
    )
  }
  return { ids, paymentCollectionId, paymentSessionId }
}

describe("a payment collection with several operations", () => {
  it.each([
    ["what is live, not what failed later", [LIVE, FAILED], 0],
    ["the review, not what failed later", [REVIEW, FAILED, EXPIRED], 0],
    ["what is recorded, not a duplicate payment", [RECORDED, DUPLICATE], 0],
    ["what is live, never a duplicate payment in review", [DUPLICATE, LIVE], 1],
    ["a failed one rather than a newer duplicate payment", [FAILED, DUPLICATE], 0],
    ["the newest of those that ended", [FAILED, EXPIRED, FAILED], 2],
    ["what is live after money was returned", [RETURNED, LIVE], 1],
    ["what is recorded after money was returned", [RETURNED, RECORDED, FAILED], 1],
    ["the duplicate payment when there is nothing else", [DUPLICATE], 0],
  ] as const)("shows %s", async (_name, sets, shown) => {
    const { ids, paymentCollectionId, paymentSessionId } = await collection(...sets)
    expect((await findByCollection(ledger.database, paymentCollectionId))?.id).toBe(ids[shown])
    expect((await findBySession(ledger.database, paymentSessionId))?.id).toBe(ids[shown])
  })
})

describe("an old session id", () => {
  it("[B28] finds its collection's operation, even after a rebind and a retry", async () => {
    const first = await submitted(ledger.database)
    const { paymentCollectionId } = first
    await rebindOperation(ledger.database, first, `payses_${randomUUID()}`)
    await ledger.sql("update mp_operation set state = 'failed' where id = $1", [first.id])
    const second = await drafted(ledger.database, { paymentCollectionId })
    expect((await findBySession(ledger.database, first.paymentSessionId))?.id).toBe(second.id)
  })

  it("of another provider finds no operation", async () => {
    expect(await findBySession(ledger.database, "payses_unknown")).toBeUndefined()
  })
})

describe("money", () => {
  it("of a session is found even when a later try took the session over", async () => {
    const { ids, paymentSessionId } = await collection(FAILED, EXPIRED)
    expect(await findMoneyOfSession(ledger.database, paymentSessionId)).toBeUndefined()
    await ledger.sql("update mp_operation set state = 'review' where id = $1", [ids[0]])
    expect((await findMoneyOfSession(ledger.database, paymentSessionId))?.id).toBe(ids[0])
  })

  it("of a replaced session is found by the old id and the new one", async () => {
    const first = await submitted(ledger.database)
    const next = `payses_${randomUUID()}`
    const bound = await rebindOperation(ledger.database, first, next)
    await ledger.sql("update mp_operation set state = 'completed' where id = $1", [bound?.id])
    for (const sessionId of [first.paymentSessionId, next]) {
      expect((await findMoneyOfSession(ledger.database, sessionId))?.id).toBe(first.id)
    }
  })

  it("that was returned does not count as money of its session or order", async () => {
    const orderId = `order_${randomUUID()}`
    const { id, paymentSessionId } = await submitted(ledger.database, { orderId })
    await ledger.sql("update mp_operation set state = 'completed' where id = $1", [id])
    expect((await findMoneyOfOrder(ledger.database, orderId))?.id).toBe(id)
    await ledger.sql("update mp_operation set returned_at = now() where id = $1", [id])
    expect(await findMoneyOfOrder(ledger.database, orderId)).toBeUndefined()
    expect(await findMoneyOfSession(ledger.database, paymentSessionId)).toBeUndefined()
  })
})

describe("a live operation", () => {
  it("is found by cart and collection, and forever by its return token", async () => {
    const returnToken = randomUUID()
    const { id, cartId, paymentCollectionId } = await submitted(ledger.database, { returnToken })
    const beside = (of: { cartId: string | null; orderId?: string }, collectionId: string) =>
      findLiveBeside(ledger.database, { orderId: null, ...of, paymentCollectionId: collectionId })
    const found = async () => [
      (await beside({ cartId }, "pay_col_other"))[0]?.id,
      (await findLiveOfCollection(ledger.database, paymentCollectionId))?.id,
      (await findByReturnToken(ledger.database, returnToken))?.id,
    ]
    expect(await found()).toEqual([id, id, id])
    const own = await beside({ cartId }, paymentCollectionId)
    expect([...own, ...(await beside({ cartId: null }, "pay_col_other"))]).toEqual([])
    await ledger.sql("update mp_operation set state = 'expired' where id = $1", [id])
    expect(await found()).toEqual([undefined, undefined, id])
  })
})

describe("a live operation of another collection of the order", () => {
  it("is found until Medusa has recorded its money", async () => {
    const { id, paymentCollectionId } = await submitted(ledger.database)
    const orderId = `order_${randomUUID()}`
    await ledger.sql("update mp_operation set order_id = $2 where id = $1", [id, orderId])
    const beside = async (collectionId: string) =>
      (
        await findLiveBeside(ledger.database, {
          cartId: null,
          orderId,
          paymentCollectionId: collectionId,
        })
      ).map((one) => one.id)
    expect(await beside("pay_col_other")).toEqual([id])
    expect(await beside(paymentCollectionId)).toEqual([])
    await ledger.sql(
      `update mp_operation set state = 'completed', recorded_at = now(), next_check_at = null
        where id = $1`,
      [id],
    )
    expect(await beside("pay_col_other")).toEqual([])
  })
})

describe("an ended operation's source", () => {
  it.each([
    ["ACTIVE", true],
    ["PROCESSING", true],
    [null, true],
    ["CANCELED", false],
    ["PAID", true],
  ])("that last read %s counts as payable or paid: %s", async (status, expected) => {
    const { ids, paymentCollectionId } = await collection(FAILED)
    await ledger.sql("update mp_operation set source_status = $2 where id = $1", [ids[0], status])
    const ended = await findEndedWithOpenSource(ledger.database, paymentCollectionId)
    expect(ended.map(({ id }) => id)).toEqual(expected ? ids : [])
  })
})

describe("a row", () => {
  it("has the column of each entry", async () => {
    const fields = Object.keys({ ...COLUMNS, ...BESIDE }) as (keyof Fields)[]
    const rows = `(select ${OPERATION_COLUMNS} from mp_operation) rows`
    expect(await ledger.sql(`select ${columnsOf(fields)} from ${rows} limit 0`)).toEqual([])
  })

  it("[P16] that can't be read is an error with its column, not a guess", async () => {
    const operation = await submitted(ledger.database)
    await ledger.sql("update mp_operation set currency_code = '' where id = $1", [operation.id])
    await expect(reread(ledger.database, operation)).rejects.toThrow(/currency_code can't be read/)
    await ledger.sql("delete from mp_operation_session where operation_id = $1", [operation.id])
    await ledger.sql("delete from mp_operation_event where operation_id = $1", [operation.id])
    await ledger.sql("delete from mp_operation where id = $1", [operation.id])
  })
})

describe("an account", () => {
  it("is stored as it was saved, and can be saved again", async () => {
    const [own] = await listAccounts(ledger.database)
    if (!own) throw new Error("no account")
    const changed = {
      ...own,
      sourceKind: "INVOICE",
      feeBearer: "PAYER",
      orderPlacement: "order_first",
      currencies: [currency("LRD")],
      wireNames: { OPERATOR3_RWA: "live value" },
      pushWindowMinutes: 10,
    } as const satisfies typeof own
    await saveAccount(ledger.database, changed)
    expect(await listAccounts(ledger.database)).toEqual([changed])
    await saveAccount(ledger.database, own)
    expect(await listAccounts(ledger.database)).toEqual([own])
  })

  it("serves its currencies, and the default account the others", async () => {
    const [own] = await listAccounts(ledger.database)
    if (!own) throw new Error("no account")
    const lrd = { ...own, id: "lrd", isDefault: false, currencies: [currency("LRD")] }
    const usd = { ...own, id: "usd", currencies: [currency("USD")] }
    expect(accountFor([usd, lrd], currency("LRD"))?.id).toBe("lrd")
    expect(accountFor([usd, lrd], currency("EUR"))?.id).toBe("usd")
    expect(accountFor([lrd], currency("EUR"))).toBeUndefined()
    expect(accountById([usd, lrd], "lrd")).toBe(lrd)
    expect(accountById([usd], "lrd")).toBeUndefined()
  })
})

it.each([
  ["numbers", 20, Number],
  ["BigInts", 20, BigInt],
  ["text", 1184, (text: string) => text],
])(
  "an operation is read even where the store's driver returns %s for numbers",
  async (_name, oid, parse) => {
    const operation = await submitted(ledger.database)
    const before = types.getTypeParser(oid)
    types.setTypeParser(oid, parse)
    try {
      const { readAt, ...read } = await reread(ledger.database, operation)
      expect(operation).toMatchObject(read)
      expect(readAt.getTime()).toBeGreaterThanOrEqual(operation.readAt.getTime())
    } finally {
      types.setTypeParser(oid, before)
    }
  },
)
