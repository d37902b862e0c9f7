/**
 * A change of an account that waits for a second admin: what approving it saves, once, and what
 * becomes of it; and rules for two admins where there is one.
 */
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount, readAccountEvents, readAccounts } from "../../../src/accounts/read-accounts"
import { removeAccount } from "../../../src/accounts/remove-account"
import type { AccountBody } from "../../../src/accounts/schemas/accounts"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import { openSecret } from "../../../src/accounts/kept-secret"
import { idFrom } from "../../../src/core/ids"
import { findStoredAccount } from "../../../src/ledger/accounts/stored-accounts"
import type { RequestKind } from "../../../src/ledger/requests"
import { codeOf } from "../../support/code-of"
import { everybody } from "../../support/everybody"
import {
  ADA,
  BOB,
  EVE,
  GUARDED_EUR,
  NEEDS,
  SECRET,
  typed,
  useTwoPeople,
} from "../../support/two-people-harness"

const { harness, deps, add, change, waitingIds, approve, liftTheRule, plain, guard } =
  useTwoPeople()

describe("[D1] a change that waits for a second admin", () => {
  it.each([
    ["added", (by: string) => add(by, typed("twice-client", GUARDED_EUR))],
    ["changed", (by: string) => change(by, plain().id, { policies: { money_out: true } })],
    ["removed", (by: string) => removeAccount(deps(), plain().id, by)],
  ])("is made once where the second admin clicks twice: an account is %s", async (_name, deed) => {
    expect(await codeOf(deed(ADA))).toBe(NEEDS)
    const [id] = await waitingIds()
    expect(await Promise.all([approve(BOB, id), approve(BOB, id)])).toEqual(["none", "none"])
    expect(await waitingIds()).toEqual([])
    const events = await harness.ledger.sql(
      "select asked_by, done_by from mp_account_event where asked_by is not null",
    )
    expect(events.filter(({ done_by }) => done_by === BOB).length).toBeGreaterThan(0)
  })

  const peopleWithout = (gone: string, mark = "null") => ({
    ...everybody,
    may: (id: string) => `${id} <> '${gone}'`,
    markOf: () => mark,
  })

  it.each([
    ["is deleted, or lost the role", peopleWithout(ADA)],
    ["has another address", peopleWithout("nobody", "'another'")],
  ])("[D8] is closed once the admin who asked %s", async (_name, people) => {
    const before = { ...deps(), people: peopleWithout("nobody", "'first'") }
    const { version } = await readAccount(before, guard().id)
    const policies = { money_out_second_admin_above: null }
    const asked = changeAccount(before, guard().id, { policies, version }, ADA)
    expect(await codeOf(asked)).toBe(NEEDS)
    const [id] = (await readAccounts(before)).waiting.map((one) => one.id)
    expect(await approve(BOB, id, { ...deps(), people })).toBe("request_ended")
    expect(await approve(BOB, id, before)).toBe("request_ended")
    expect((await readAccount(deps(), guard().id)).version).toBe(version)
  })

  it("[D8] isn't made with the old login of an admin who is deleted, or lost the role", async () => {
    expect(await codeOf(change(ADA, plain().id, { policies: { money_out: true } }))).toBe(NEEDS)
    expect(await approve(BOB, undefined, { ...deps(), people: peopleWithout(BOB) })).toBe(
      "request_ended",
    )
    expect(await approve(EVE)).toBe("none")
  })

  it("isn't noted for an admin who may not change accounts", async () => {
    const given = { ...deps(), people: peopleWithout(ADA) }
    const { version } = await readAccount(given, plain().id)
    const body = { policies: { money_out: true }, version }
    expect(await codeOf(changeAccount(given, plain().id, body, ADA))).toBe("request_needs_right")
    expect(await waitingIds()).toEqual([])
  })

  it("shows what it would change, and is saved as it is shown, with the secret that was entered", async () => {
    const wireNames = { "OPERATOR1_MOMO_LBR.menu_code": "*100#" }
    const asked = typed("third-client", { currencies: ["EUR"], wire_names: wireNames })
    expect(await codeOf(add(ADA, asked))).toBe(NEEDS)
    const { waiting } = await readAccounts(deps())
    expect(waiting).toMatchObject([
      {
        label: "third-client",
        name: "created",
        asked_by: ADA,
        changes: { currencies: { from: null, to: ["EUR"] }, client_secret: { to: "typed" } },
      },
    ])
    const [shown] = waiting
    if (!shown) throw new Error("nothing waits")
    expect(await approve(BOB)).toBe("none")
    const made = await readAccount(deps(), shown.account_id)
    expect(made).toMatchObject({ currencies: ["EUR"], wire_names: wireNames, state: "ready" })
    const { events } = await readAccountEvents(deps(), made.id)
    expect(events.map(({ name, by }) => [name, by])).toEqual([
      ["created", BOB],
      ["change_asked", ADA],
    ])
    expect(events[0]?.asked_by).toBe(ADA)
    expect(await harness.ledger.sql("select id from mp_approval where sealed is not null")).toEqual(
      [],
    )
  })

  it("[S30] saves the secret of the request that is approved, whatever was mistyped before", async () => {
    const secrets = [`${SECRET}-mistyped`, SECRET]
    const asked: string[] = []
    for (const secret of [...secrets, SECRET]) {
      expect(await codeOf(change(ADA, plain().id, { client_secret: secret }))).toBe(NEEDS)
      asked.push(...(await waitingIds()).filter((id) => !asked.includes(id)))
    }
    expect(asked).toHaveLength(secrets.length)
    expect(await approve(BOB, asked[1])).toBe("none")
    const stored = await findStoredAccount(deps().database, idFrom(plain().id))
    const opened = openSecret(deps().box, stored?.credential ?? null)
    expect(opened).toEqual({ state: "ready", secret: SECRET })
  })

  it("isn't saved where it would be another change than the one that is shown", async () => {
    expect(
      await codeOf(change(ADA, plain().id, { policies: { money_out_daily_cap: { LRD: 900 } } })),
    ).toBe(NEEDS)
    await change(EVE, plain().id, { policies: { money_out_daily_cap: { LRD: 100 } } })
    expect(await approve(BOB)).toBe("changed_meanwhile")
    expect((await readAccount(deps(), plain().id)).policies.money_out_daily_cap).toEqual({
      LRD: 100,
    })
    expect(await waitingIds()).toHaveLength(1)
  })

  it("sends a secret to no address that it wasn't entered for", async () => {
    expect(await codeOf(change(ADA, plain().id, { client_secret: SECRET }))).toBe(NEEDS)
    await harness.ledger.sql(
      "update mp_account set base_url = 'http://localhost:9' where id = $1",
      [plain().id],
    )
    expect(await approve(BOB)).toBe("request_ended")
  })

  it("is gone once its account is removed", async () => {
    expect(await codeOf(change(ADA, plain().id, { currencies: [] }))).toBe(NEEDS)
    expect(await codeOf(removeAccount(deps(), plain().id, ADA))).toBe(NEEDS)
    expect(await approve(BOB)).toBe("none")
    expect(await waitingIds()).toEqual([])
  })

  it("keeps the other fields that were typed with it", async () => {
    const body = { label: "Shop", policies: { money_out: true, place_late_money: false } }
    expect(await codeOf(change(ADA, plain().id, body))).toBe(NEEDS)
    const [shown] = (await readAccounts(deps())).waiting
    expect(shown?.fields).toEqual(["policies.money_out"])
    expect(await approve(BOB)).toBe("none")
    expect(await readAccount(deps(), plain().id)).toMatchObject(body)
  })
})

describe("a rule for two admins", () => {
  const RULES: readonly (readonly [string, RequestKind, AccountBody["policies"]])[] = [
    ["refunds", "REFUND", { refund_second_admin_above: { "*": 5 } }],
    ["payouts", "PAYOUT", { money_out_second_admin_above: { "*": 5 } }],
  ]
  /** One of three admins may approve the kind; all may approve the others. */
  const alone = (kind: RequestKind): AccountDeps => ({
    ...deps(),
    people: { ...everybody, may: (id, of) => (of === kind ? `${id} = '${ADA}'` : "true") },
  })

  beforeEach(liftTheRule)

  it.each(
    RULES.flatMap(([name, kind, policies]) =>
      [kind, "ACCOUNT" as const].map((lacking) => ({ name, policies, lacking })),
    ),
  )(
    "of $name isn't saved where one admin alone has the right to approve $lacking",
    async ({ policies, lacking }) => {
      const { version } = await readAccount(deps(), plain().id)
      const saving = (given: AccountDeps) =>
        codeOf(changeAccount(given, plain().id, { policies, version }, ADA))
      expect(await saving(alone(lacking))).toBe("second_admin_missing")
      expect(
        await codeOf(createAccount(alone(lacking), typed("new-client", { policies }), ADA)),
      ).toBe("second_admin_missing")
      expect((await readAccount(deps(), plain().id)).version).toBe(version)
      expect(await saving(deps())).toBe("none")
    },
  )

  it("doesn't hold up other changes once an admin is gone", async () => {
    const policies = { refund_second_admin_above: { "*": 5 } }
    await change(ADA, plain().id, { policies })
    const { version } = await readAccount(deps(), plain().id)
    const renamed = changeAccount(alone("ACCOUNT"), plain().id, { label: "Shop", version }, ADA)
    expect(await codeOf(renamed)).toBe("none")
  })
})
