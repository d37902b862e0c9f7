/**
 * A message that has waited for its channel is compared with the ledger when it is sent: what is
 * over, decided or taken back is not told.
 */
import { idFrom, type AccountId, type OperationId } from "../../../src/core/ids"
import type { Operation } from "../../../src/core/operation"
import { queueNotifications, queueHappenings } from "../../../src/notifications/queue"
import type { NotificationKind } from "../../../src/notifications/rules/kinds"
import {
  tellAccepted,
  tellRefused,
  watchJob,
  watchOperators,
} from "../../../src/notifications/trouble"
import { LIMITS } from "../../../src/core/limits"
import { systemIds } from "../../../src/core/ports"
import { reserveRefund } from "../../../src/refunds/sql/reserve-refund"
import {
  advanced,
  collected,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"
import { notifyScene, one, type NotifyScene } from "../../support/notify-scene"

let ledger: LedgerDatabase
let scene: NotifyScene
let isDown = false

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

beforeEach(async () => {
  await queueHappenings({ database: ledger.database })
  for (const table of ["mp_notification", "mp_notification_trouble", "mp_worker"]) {
    await ledger.sql(`delete from ${table}`)
  }
  isDown = false
  const email = () => (isDown ? Promise.reject(new Error("no mail today")) : Promise.resolve())
  scene = notifyScene(ledger, { email })
})

const subjects = () => scene.notifier.sent.map(({ subject }) => subject)

/** All that waits is tried, as often as it takes. */
async function mailed(): Promise<readonly string[]> {
  for (let tries = 0; tries < 4; tries++) {
    await scene.later()
    await scene.run()
  }
  return subjects()
}

type Trouble = { readonly begin: () => unknown; readonly end: () => unknown }

const account = { id: idFrom<AccountId>("mpacc_env"), label: "Environment" }

const operatorTried = async (times: number, event: "fail" | "complete") => {
  for (let made = 0; made < times; made++) {
    if (event === "complete") await collected(ledger.database)
    else {
      await advanced(ledger.database, await submitted(ledger.database), {
        event,
        code: "gateway_refused",
        changes: { reason: "operator_unavailable" },
        next: "never",
      })
    }
  }
  await ledger.sql("update mp_operation set payment_method = 'OPERATOR1_MOMO_LBR'")
  await watchOperators(scene.deps)
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  account_refused: {
    begin: () => tellRefused(scene.deps, account, true),
    end: () => tellAccepted(scene.deps, account),
  },
  job_stopped: {
    begin: () => watchJob(scene.deps, LIMITS.jobGoneAfterMs),
    async end() {
      await ledger.sql("insert into mp_worker (id) values ('worker')")
      await watchJob(scene.deps, 0)
    },
  },
  operator_trouble: {
    async begin() {
      await ledger.sql("update mp_operation set created_at = now() - interval '1 day'")
      await operatorTried(LIMITS.operatorTroubleLeast, "fail")
    },
    end: () => operatorTried(LIMITS.operatorTroubleLeast * 5, "complete"),
  },
}

describe.each(Object.entries(TROUBLES))("a trouble (%s)", (kind, { begin, end }) => {
  beforeEach(() => scene.tell({ recipients: [one({ kinds: [kind as "job_stopped"] })] }))

  it("is told, and its end as well, once each and in this order", async () => {
    await begin()
    expect(await mailed()).toHaveLength(1)
    await end()
    expect(await mailed()).toHaveLength(2)
    expect(scene.notifier.sent.map(({ data }) => data["kind"])[0]).toBe(kind)
  })

  it("that was over before the mail came back is not told, nor its end", async () => {
    isDown = true
    await begin()
    await scene.run()
    await end()
    await scene.run()
    isDown = false
    expect(await mailed()).toEqual([])
    expect((await scene.rows()).map(({ state }) => state)).toEqual(["dropped", "dropped"])
  })

  it("that lasts is told when the mail comes back", async () => {
    isDown = true
    await begin()
    await scene.run()
    isDown = false
    expect(await mailed()).toHaveLength(1)
  })
})

/** A refund that did not go through. */
async function failedRefund(): Promise<Operation> {
  const payment = await collected(ledger.database)
  const draft = await reserveRefund(ledger.database, payment, {
    id: systemIds.operationId(),
    draftReference: systemIds.reference(),
    amount: payment.amount,
    medusaAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_policy",
  })
  if (!draft || draft === "taken") throw new Error("nothing was reserved")
  await ledger.sql(
    "update mp_operation set state = 'expired', reason = 'never_landed' where id = $1",
    [draft.id],
  )
  return draft
}

const queue = (kind: NotificationKind, operationId: OperationId) =>
  queueNotifications(scene.deps, {
    eventId: `${operationId}:2:${kind}`,
    kind,
    operationId,
    occurredAt: new Date(),
  })

describe("a refund that failed", () => {
  beforeEach(() => scene.tell({ recipients: [one({ kinds: ["refund_failed"] })] }))

  it("is told", async () => {
    await queue("refund_failed", (await failedRefund()).id)
    expect(await mailed()).toHaveLength(1)
  })

  it.each(["made again", "dismissed"])("and was %s meanwhile is not told", async (how) => {
    const { id } = await failedRefund()
    await queue("refund_failed", id)
    const again = await failedRefund()
    await ledger.sql(
      how === "dismissed"
        ? "update mp_operation set dismissed_at = now() where id = $1 and id <> $2"
        : `update mp_operation again set retry_of = f.id, parent_id = f.parent_id, state = 'drafted'
             from mp_operation f where f.id = $1 and again.id = $2`,
      [id, again.id],
    )
    expect(await mailed()).toEqual([])
  })
})

describe("a customer whose payment is recorded", () => {
  const recorded = async () => {
    const rule = { channel: "email", kinds: ["customer_paid" as const], since: null }
    await scene.tell({ customers: { locale: "en", rules: [rule] } })
    const draft = { orderId: "order_1" }
    return collected(ledger.database, { draft, changes: { recordedAt: true } })
  }

  it("isn't told of it once its operator has taken it back", async () => {
    const { id } = await recorded()
    await ledger.sql("update mp_operation set taken_back_at = now() where id = $1", [id])
    expect(await mailed()).toEqual([])
    expect(await scene.rows()).toMatchObject([{ state: "dropped", problem: "given_back" }])
  })

  it("[B55] is told of it once all of it was to go back, and the refund failed", async () => {
    const { id, amount } = await recorded()
    const reserved = (minor: bigint) =>
      ledger.sql("update mp_operation set reserved_refund_minor = $2 where id = $1", [id, minor])
    await reserved(amount.minor)
    expect(await mailed()).toEqual([])
    await reserved(0n)
    expect(await mailed()).toHaveLength(1)
  })

  it("isn't told of it where a refund of all of it has been under way for a week", async () => {
    const { id } = await recorded()
    await ledger.sql("update mp_operation set reserved_refund_minor = amount_minor where id = $1", [
      id,
    ])
    expect(await mailed()).toEqual([])
    await ledger.sql("update mp_notification set created_at = now() - interval '8 days'")
    expect(await mailed()).toEqual([])
    expect(await scene.rows()).toMatchObject([{ state: "dropped", problem: "given_back" }])
  })

  it("isn't told of it once all of it has gone back", async () => {
    const { id } = await recorded()
    await ledger.sql(
      `update mp_operation
          set reserved_refund_minor = amount_minor, refunded_minor = amount_minor where id = $1`,
      [id],
    )
    expect(await mailed()).toEqual([])
    expect(await scene.rows()).toMatchObject([{ state: "dropped", problem: "given_back" }])
  })
})
