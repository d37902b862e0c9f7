/**
 * Each row of the table of changes that need two admins, played by one admin, by an API key and by
 * two admins, on an account that has no rule itself; and the ways around the table.
 */
import { refuseChange } from "../../../src/accounts/guard-account"
import { readAccount, readAccountEvents, readAccounts } from "../../../src/accounts/read-accounts"
import { removeAccount, removeCredential } from "../../../src/accounts/remove-account"
import type { AccountBody } from "../../../src/accounts/schemas/accounts"
import { TWO_PEOPLE, type ChangeName } from "../../../src/accounts/rules/two-people"
import {
  ACCOUNT_POLICIES,
  POLICY_NAMES,
  type PolicyName,
  type Setting,
} from "../../../src/core/account-settings"
import { LIMITS } from "../../../src/core/limits"
import { accountById, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { codeOf } from "../../support/code-of"
import {
  ADA,
  BOB,
  EVE,
  KEY,
  NEEDS,
  SECRET,
  typed,
  useTwoPeople,
} from "../../support/two-people-harness"

const { harness, deps, add, change, waitingIds, approve, liftTheRule, plain, guard } =
  useTwoPeople()

type Deed = (by: string) => Promise<unknown>
const on =
  (body: AccountBody, account = plain): Deed =>
  (by) =>
    change(by, account().id, body)
const rule = (policies: AccountBody["policies"]): Deed => on({ policies }, guard)

type Deeds = { readonly asked?: Deed; readonly alone?: Deed }
type Flag = {
  [Name in PolicyName]: (typeof ACCOUNT_POLICIES)[Name]["holds"] extends "flag"
    ? `policies.${Name}`
    : never
}[PolicyName]

/** The deeds of a flag follow from its row. */
const FLAGS: [string, Deeds][] = POLICY_NAMES.flatMap((name) => {
  const row: Setting = ACCOUNT_POLICIES[name]
  if (row.holds !== "flag") return []
  const set = (value: boolean) => on({ policies: { [name]: value } })
  const deeds =
    row.asks === "never" ? { alone: set(!row.default) } : { asked: set(true), alone: set(false) }
  return [[`policies.${name}`, deeds]]
})

/** What needs two admins, and what one admin may do alone in the same row of the table. */
const DEEDS: { readonly [Name in Exclude<ChangeName, Flag> | "policies.money_out"]: Deeds } = {
  "add an account": {
    asked: (by) => add(by, typed("guard-client", { currencies: ["EUR"] })),
    alone: (by) => add(by, typed("guard-client")),
  },
  "remove an account": { asked: (by) => removeAccount(deps(), plain().id, by) },
  "drop a former credential": {
    async alone(by) {
      const former = plain().credentials.find(({ status }) => status === "draining")
      await removeCredential(deps(), { id: former?.id ?? "", accountId: plain().id }, by)
    },
  },
  base_url: { asked: on({ ...typed("plain-client"), base_url: "http://localhost:4198" }) },
  client_id: { asked: on({ client_id: "guard-client", client_secret: SECRET }) },
  client_secret: { asked: on({ client_secret: SECRET }) },
  realtime_url: { asked: on({ realtime_url: "http://localhost:4197" }) },
  currencies: { asked: on({ currencies: [] }), alone: on({ currencies: ["LRD"] }) },
  wire_names: { asked: on({ wire_names: { "OPERATOR1_MOMO_LBR.menu_code": "*999*1#" } }) },
  "policies.refund_second_admin_above": {
    asked: rule({ refund_second_admin_above: null }),
    alone: rule({ refund_second_admin_above: { USD: 99 } }),
  },
  "policies.money_out_second_admin_above": {
    asked: rule({ money_out_second_admin_above: { USD: 101 } }),
    alone: rule({ money_out_second_admin_above: { "*": 5 } }),
  },
  "policies.money_out_daily_cap": {
    asked: on({ policies: { money_out_daily_cap: { LRD: 501 } } }),
    alone: on({ policies: { money_out_daily_cap: { LRD: 499 } } }),
  },
  "policies.money_out": {
    asked: on({ policies: { money_out: true } }),
    alone: rule({ money_out: false }),
  },
  "policies.disrupted_methods": { alone: on({ policies: { disrupted_methods: "hide" } }) },
  "policies.refund_currency": {
    asked: on({ policies: { refund_currency: "SOURCE" } }),
    alone: on({ policies: { refund_currency: null } }),
  },
  fee_bearer: { alone: on({ fee_bearer: "PAYER" }) },
  label: { alone: on({ label: "Another name" }) },
  source_kind: { alone: on({ source_kind: "INVOICE" }) },
  order_placement: { alone: on({ order_placement: "order_first" }) },
  push_window_minutes: { alone: on({ push_window_minutes: 41 }) },
  hosted_window_minutes: { alone: on({ hosted_window_minutes: 91 }) },
  checks_per_second_max: { alone: on({ checks_per_second_max: 31 }) },
  is_default: { alone: on({ is_default: true }, guard) },
}

const ROWS = Object.entries<Deeds>({ ...Object.fromEntries(FLAGS), ...DEEDS }).map(
  ([name, deeds]) => ({
    name,
    ...deeds,
    row: TWO_PEOPLE[name as ChangeName],
  }),
)

const everything = () =>
  harness.ledger.sql("select * from mp_account order by id").then((rows) => JSON.stringify(rows))
const refusedAs = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof Error && "key" in error ? error.key : error),
  )

describe("[D1] while any account has a second-admin rule", () => {
  it("each row of the table is played here", () => {
    const wrong = ROWS.filter(
      ({ row, asked, alone }) =>
        (row.asks === "never") === (asked !== undefined) ||
        (row.asks === "always") === (alone !== undefined),
    )
    expect(wrong).toEqual([])
    expect(ROWS.map(({ name }) => name).sort()).toEqual(Object.keys(TWO_PEOPLE).sort())
  })

  it.each(ROWS.filter(({ asked }) => asked))(
    "a change of $name is made by two admins, and by neither one admin nor an API key",
    async ({ asked = () => Promise.reject(new Error("no deed")) }) => {
      const before = await everything()
      expect(await refusedAs(asked(KEY))).toBe(`${NEEDS}.person`)
      expect((await readAccounts(deps())).waiting).toEqual([])
      expect([await codeOf(asked(ADA)), await codeOf(asked(ADA))]).toEqual([NEEDS, NEEDS])
      expect(await refusedAs(asked(KEY))).toBe(`${NEEDS}.person`)
      expect(await everything()).toBe(before)
      expect([await codeOf(asked(BOB)), await codeOf(asked(EVE))]).toEqual([NEEDS, NEEDS])
      expect(await everything()).toBe(before)
      expect(await waitingIds()).toHaveLength(1)
      expect(await approve(KEY)).toBe("request_needs_person")
      expect(await approve(ADA)).toBe("request_is_own")
      expect(await approve(BOB)).toBe("none")
      expect(await everything()).not.toBe(before)
      expect((await readAccounts(deps())).waiting).toEqual([])
    },
  )

  it.each(ROWS.flatMap((row) => [ADA, KEY].map((by) => ({ ...row, by }))).filter((r) => r.alone))(
    "a change of $name that needs no second admin is made by $by alone",
    async ({ by, alone }) => {
      expect(await codeOf(alone?.(by) ?? Promise.resolve())).toBe("none")
      expect((await readAccounts(deps())).waiting).toEqual([])
    },
  )
})

describe("[D1] while no account has a second-admin rule", () => {
  beforeEach(liftTheRule)

  it.each(ROWS.filter(({ name, asked }) => asked && !name.includes("second_admin_above")))(
    "a change of $name is made by one admin",
    async ({ asked }) => {
      expect(await codeOf(asked?.(ADA) ?? Promise.reject(new Error("no deed")))).toBe("none")
    },
  )
})

describe("[D1] one admin can't avoid the rule", () => {
  it("through an account that takes nothing yet", async () => {
    const { id } = await add(ADA, typed("guard-client"))
    for (const body of [{ currencies: ["EUR"] }, { policies: { money_out: true } }]) {
      expect(await codeOf(change(ADA, id, body))).toBe(NEEDS)
    }
    expect(await codeOf(change(ADA, id, { client_id: "eve", client_secret: SECRET }))).toBe(NEEDS)
    expect(await codeOf(removeAccount(deps(), id, ADA))).toBe(NEEDS)
  })

  it("through a currency that the guarded account would lose, in either order", async () => {
    const second = { ...typed("guard-client"), currencies: ["USD"] }
    expect(await codeOf(add(ADA, second))).toBe("currency_taken")
    expect(await codeOf(change(ADA, guard().id, { currencies: [] }))).toBe(NEEDS)
    const both = await Promise.all([
      codeOf(change(ADA, guard().id, { currencies: [] })),
      codeOf(add(ADA, second)),
    ])
    expect(both).toEqual([NEEDS, "currency_taken"])
    expect((await readAccount(deps(), guard().id)).currencies).toEqual(["USD"])
  })

  it("by asking many times at once, while others who approve at once save the change once", async () => {
    const move = (by: string) => codeOf(change(by, guard().id, { currencies: [] }))
    expect(new Set(await Promise.all([ADA, ADA, ADA, KEY, KEY].map(move)))).toEqual(
      new Set([NEEDS]),
    )
    const [id] = await waitingIds()
    const codes = await Promise.all([BOB, EVE, BOB].map((by) => approve(by, id)))
    expect(codes).toEqual(["none", "none", "none"])
    const { events } = await readAccountEvents(deps(), guard().id)
    expect(events.filter(({ asked_by }) => asked_by !== null)).toHaveLength(1)
  })

  it("with a second admin who wants a similar change, but not the same", async () => {
    const body = typed("third-client", { currencies: ["EUR"] })
    expect(await codeOf(add(ADA, body))).toBe(NEEDS)
    for (const other of [
      { client_id: "fourth-client" },
      { base_url: "http://localhost:4196" },
      { currencies: ["EUR", "GBP"] },
      { policies: { money_out: true } },
      { policies: { money_out_daily_cap: { EUR: 5 } } },
      { wire_names: { "OPERATOR1_MOMO_LBR.menu_code": "*1#" } },
    ]) {
      expect([other, await codeOf(add(BOB, { ...body, ...other }))]).toEqual([other, NEEDS])
    }
    expect(await waitingIds()).toHaveLength(7)
  })

  it("with an agreement that is a day old, or that another admin has refused", async () => {
    const ask = (by: string) => codeOf(change(by, guard().id, { currencies: [] }))
    expect(await ask(ADA)).toBe(NEEDS)
    const back = LIMITS.secondAdminWithinMs
    await harness.ledger.sql("update mp_approval set asked_at = asked_at - $1 * interval '1 ms'", [
      back,
    ])
    expect((await readAccounts(deps())).waiting).toEqual([])
    expect(await ask(BOB)).toBe(NEEDS)
    const [{ id } = { id: "" }] = (await readAccounts(deps())).waiting
    const refuse = (adminId: string) => refuseChange(deps(), { id, adminId, note: "not now" })
    expect(await refusedAs(refuse(KEY))).toBe(`${NEEDS}.person`)
    expect(await codeOf(refuse(ADA))).toBe("none")
    expect(await refusedAs(refuse(ADA))).toBe("account_not_found.change")
    expect(await approve(ADA, id)).toBe("request_ended")
    expect(await ask(ADA)).toBe(NEEDS)
    const { events } = await readAccountEvents(deps(), guard().id)
    expect(events[1]).toMatchObject({ name: "change_refused", by: ADA, asked_by: BOB })
  })

  it("through a deployment without the environment variables of the account that has the rule", async () => {
    const environment = accountById(await harness.deps.accounts(), "mpacc_env")
    if (!environment) throw new Error("there is no account")
    const { database } = harness.ledger
    await liftTheRule()
    const policies = { ...environment.policies, refund_second_admin_above: { "*": 5 } }
    await saveAccount(database, { ...environment, isDefault: false, policies })
    try {
      expect(await codeOf(change(ADA, guard().id, { currencies: [] }))).toBe(NEEDS)
    } finally {
      await saveAccount(database, { ...environment, isDefault: false })
    }
  })
})
