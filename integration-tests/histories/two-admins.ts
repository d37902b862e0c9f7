/**
 * What one admin asks for and another approves, in drawn orders of events, whatever is asked for:
 * who presses what, twice at once, on which request, with a right that is lost or comes back, a
 * gateway that refuses or loses an answer, a process that dies at any statement, and a backup that
 * is played back at any position. One intention moves money once at most.
 */
import fc from "fast-check"
import type { FaultEntry } from "../../packages/simulator/src/faults"
import { noticeBehind } from "../../src/ledger/database-mark"
import type { Database } from "../../src/ledger/database"
import { closeRequest } from "../../src/ledger/close-request"
import {
  findRequest,
  findRequestByKey,
  type People,
  type RequestKind,
  type TwoAdminRequest,
} from "../../src/ledger/requests"
import type { RequestAnswer } from "../../src/ledger/ask-another-admin"
import type { LedgerDatabase } from "../support/ledger-database"

const PEOPLE = ["user_ada", "user_bob", "user_eve"] as const

type Press =
  /** The same key is the same form pressed again; another key is a new form. */
  | { readonly do: "ask"; readonly by: string; readonly key: number }
  /** `which`: of all requests so far, the newest first, whatever became of them. */
  | { readonly do: "approve" | "close"; readonly by: string; readonly which: number }

export type Fault = readonly [call: string, fault: FaultEntry]

export type Moment = {
  readonly first: "nothing" | "settle" | "back up" | "restore" | "restore, noticed"
  /** An admin who loses the right, or gets it back. */
  readonly right: string | null
  /** Pressed at the same time. */
  readonly presses: readonly Press[]
  /** What the gateway does at its next call of this kind; `opening`: it opens no session. */
  readonly fault: Fault | "opening" | null
  /** The newest request is refused, or withdrawn, right before the n-th statement of the others. */
  readonly refusal: { readonly at: number; readonly by: string } | null
  /** The statement at which the process dies, before or after it was carried out. */
  readonly death: { readonly at: number; readonly isAfter: boolean } | null
}

/** One kind of what two admins agree on: how it is asked for, approved, and what then moved. */
export type Agreed<Deps extends { readonly database: Database; readonly people: People }> = {
  readonly kinds: readonly RequestKind[]
  readonly deps: () => Deps
  readonly sql: LedgerDatabase["sql"]
  /** @returns the id of what was asked for, where it has gone already */
  ask(deps: Deps, by: string, key: number): Promise<unknown>
  /** The caller's key; absent: what is asked for has none. */
  keyOf?(key: number): string
  approve(deps: Deps, answer: RequestAnswer): Promise<unknown>
  /** Lets what is under way come to its end. */
  settle(): Promise<void>
  /** What has moved, by whoever moved it: money at the gateway, or an account. */
  moved(): Promise<number>
  /** The operations that may have moved money, by their ids; a change of an account has none. */
  sent(): Promise<readonly string[]>
  script?(fault: Moment["fault"]): void
  /** @returns plays the backup back */
  backUp?(): Promise<() => Promise<void>>
}

const by = fc.constantFrom(...PEOPLE)
/** An approval has fewer before the one that uses the request. */
const STATEMENTS_MAX = 30
const which = fc.constantFrom(0, 0, 0, 1, 2)
const press: fc.Arbitrary<Press> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("ask" as const), by, key: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("approve" as const), by, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), by, which }) },
)

/** Rarely enough that most histories move money. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

export function momentsOf(
  faults: readonly Fault[],
  length: { readonly minLength: number; readonly maxLength: number },
  firsts: readonly Moment["first"][] = ["settle"],
): fc.Arbitrary<Moment[]> {
  const first = fc.constantFrom(...firsts)
  const moment: fc.Arbitrary<Moment> = fc.record({
    first: fc.oneof(fc.constant<Moment["first"]>("nothing"), first),
    right: sometimes(by),
    presses: fc.oneof(
      fc.array(press, { minLength: 1, maxLength: 3 }),
      press.map((one) => [one, one]),
    ),
    fault: sometimes(fc.constantFrom<Moment["fault"]>("opening", ...faults)),
    refusal: sometimes(fc.record({ at: fc.nat(STATEMENTS_MAX), by })),
    death: sometimes(fc.record({ at: fc.nat(STATEMENTS_MAX), isAfter: fc.boolean() })),
  })
  return fc.array(moment, { ...length, size: "max" })
}

const CALM: Omit<Moment, "presses"> = {
  first: "nothing",
  right: null,
  fault: null,
  refusal: null,
  death: null,
}
const ask = (one: string, key: number): Press => ({ do: "ask", by: one, key })
const approve = (one: string, chosen = 0): Press => ({ do: "approve", by: one, which: chosen })
const [ADA, BOB, EVE] = PEOPLE
const plain = (presses: readonly (readonly Press[])[]): Moment[] =>
  presses.map((pressed) => ({ ...CALM, presses: pressed }))

/** The orders in which money went a second time, or against an admin's word, once. */
export const EXAMPLES: readonly Moment[][] = [
  plain([[ask(ADA, 0)], [approve(BOB), approve(BOB)], [ask(ADA, 0)]]),
  plain([[ask(ADA, 0)], [ask(BOB, 1), ask(BOB, 1)], [ask(ADA, 0)]]),
  plain([[ask(ADA, 0)], [approve(BOB)], [ask(ADA, 0)], [ask(BOB, 1), ask(BOB, 1)]]),
  plain([[ask(ADA, 0)], [approve(BOB)], [approve(EVE)], [approve(BOB)]]),
  ...Array.from({ length: STATEMENTS_MAX }, (_, at) => [
    { ...CALM, presses: [ask(ADA, 0)] },
    { ...CALM, presses: [approve(BOB)], refusal: { at, by: EVE } },
  ]),
]

/** Its first draft ends unsent, the second goes, and both are lost; then it is approved again. */
export const RESTORED: readonly Moment[] = [
  { ...CALM, presses: [ask(ADA, 0)] },
  { ...CALM, first: "back up", presses: [approve(BOB)], fault: "opening" },
  { ...CALM, presses: [approve(BOB)] },
  { ...CALM, first: "restore", presses: [approve(BOB)] },
]

/** A process that dies at its n-th statement. Nothing that it does later reaches the database. */
function processOf<Deps extends { readonly database: Database }>(
  deps: Deps,
  { refusal, death }: Moment,
  refuse: (by: string) => Promise<unknown>,
): Deps {
  let begun = 0
  const query: Database["query"] = async (...given) => {
    const nth = begun++
    if (refusal && nth === refusal.at) await refuse(refusal.by)
    const isDead = death && (nth > death.at || (nth === death.at && !death.isAfter))
    if (isDead) throw new Error("the process is dead")
    const rows = await deps.database.query(...given)
    if (nth === death?.at) throw new Error("the process is dead")
    return rows
  }
  return { ...deps, database: { query } }
}

/** Admins whose right is a row, which a statement reads when it is carried out. */
const PEOPLE_OF_ROWS: People = {
  all: `select unnest(array[${PEOPLE.map((one) => `'${one}'`).join(", ")}]) as id`,
  may: (id) => `not exists (select from without_right w where w.id = ${id})`,
  markOf: () => "null",
}

type Timeline = {
  /** The requests that another admin approved, at whatever moment, both with the right to it. */
  readonly approved: ReadonlySet<string>
  readonly playBack: () => Promise<void>
}

/** Plays a history, lets all come to its end, presses everything once more, and asks what moved. */
export async function playRequests<Deps extends { database: Database; people: People }>(
  kind: Agreed<Deps>,
  moments: readonly Moment[],
): Promise<void> {
  const { sql } = kind
  await sql("create table if not exists without_right (id text primary key)")
  await sql("truncate without_right, mp_approval, mp_database_mark")
  const history = new RequestHistory({ ...kind.deps(), people: PEOPLE_OF_ROWS }, kind)
  for (const moment of moments) await history.play(moment)
  await history.end()
}

class RequestHistory<Deps extends { database: Database; people: People }> {
  private approved = new Set<string>()
  /** The keys under which another admin approved something; a restore changes nothing of them. */
  private readonly keys = new Set<string>()
  /** The most that any line of time, between two restores, may have moved without keys. */
  private most = 0
  private backup: Timeline | undefined

  constructor(
    private readonly deps: Deps,
    private readonly kind: Agreed<Deps>,
  ) {}

  async play(moment: Moment): Promise<void> {
    const { kind, deps } = this
    const { first, right, presses, fault } = moment
    if (first === "settle") await kind.settle()
    if (first === "back up" && kind.backUp) {
      this.backup = { approved: new Set(this.approved), playBack: await kind.backUp() }
    }
    if (first.startsWith("restore")) await this.restore(first.endsWith("noticed"))
    if (right !== null) {
      const gone = await kind.sql("delete from without_right where id = $1 returning id", [right])
      if (gone.length === 0) await kind.sql("insert into without_right values ($1)", [right])
    }
    kind.script?.(fault)
    const requests = await this.requests()
    const lacking = (await kind.sql("select id from without_right")).map(({ id }) => String(id))
    const own = processOf(deps, moment, (by) => this.close(deps, requests[0], by).catch(() => {}))
    await Promise.allSettled(presses.map((one) => this.press(own, one, requests, lacking)))
    kind.script?.(null)
  }

  private async restore(isNoticed: boolean): Promise<void> {
    if (!this.backup) return
    this.most = Math.max(this.most, this.approved.size)
    await this.backup.playBack()
    this.approved = new Set(this.backup.approved)
    if (isNoticed) await noticeBehind(this.deps.database, "person")
  }

  private async press(
    own: Deps,
    one: Press,
    requests: readonly TwoAdminRequest[],
    lacking: readonly string[],
  ): Promise<unknown> {
    const { kind, approved } = this
    if (one.do === "ask") return kind.ask(own, one.by, one.key)
    const request = requests[one.which % Math.max(1, requests.length)]
    if (!request) return undefined
    const {
      id,
      askedBy,
      keys: [key],
    } = request
    if (one.do === "close") return this.close(own, request, one.by)
    if (one.by !== askedBy && ![one.by, askedBy].some((who) => lacking.includes(who))) {
      approved.add(id)
      if (key !== undefined) this.keys.add(key)
    }
    return kind.approve(own, { id, adminId: one.by, note: undefined })
  }

  private async close(
    { database, people }: Deps,
    request: TwoAdminRequest | undefined,
    by: string,
  ) {
    const { kinds } = this.kind
    const given = { id: request?.id ?? "", kinds, adminId: by, answer: null }
    return closeRequest(database, people, given)
  }

  /** All requests so far, the newest first, whatever became of them. */
  private async requests(): Promise<TwoAdminRequest[]> {
    const rows = await this.kind.sql("select id from mp_approval order by asked_at desc, id")
    const found = rows.map(({ id }) => findRequest(this.deps.database, String(id)))
    return (await Promise.all(found)).flatMap((one) => one ?? [])
  }

  async end(): Promise<void> {
    const { kind, deps, approved } = this
    await kind.settle()
    const before = await kind.moved()
    const most = kind.keyOf ? this.keys.size : Math.max(this.most, approved.size)
    expect(before).toBeLessThanOrEqual(most)
    // What moved is what its request says: approved by another, and neither refused nor waiting.
    const requests = await this.requests()
    for (const id of await kind.sent()) {
      const of = requests.filter(({ operationId }) => operationId === id)
      expect(of).toMatchObject([{ state: "approved" }])
      expect([...approved]).toContain(of[0]?.id)
    }
    const { length } = requests.filter(({ state }) => state === "approved")
    expect(length).toBeLessThanOrEqual(approved.size)
    // Nothing moved whose request still waits, or was refused.
    if (!this.backup) expect(before).toBeLessThanOrEqual(length)
    await kind.sql("truncate without_right")
    for (const { state, keys, operationId, id } of requests) {
      if (state !== "approved") continue
      for (const adminId of PEOPLE) {
        const answer = { id, adminId, note: undefined }
        await Promise.allSettled([kind.approve(deps, answer), kind.approve(deps, answer)])
      }
      expect(await findRequest(deps.database, id)).toMatchObject({ state, operationId, keys })
    }
    for (const key of [0, 1, 2]) await this.askAgain(key)
    await kind.settle()
    expect(await kind.moved()).toBe(before)
  }

  /** What is asked for again moves nothing, whoever asks; a key leads to what it was used for. */
  private async askAgain(key: number): Promise<void> {
    const { kind, deps } = this
    const request = await findRequestByKey(deps.database, kind.keyOf?.(key) ?? "")
    for (const adminId of PEOPLE) {
      const asked = kind.ask(deps, adminId, key)
      if (request?.state === "approved") expect(await asked).toBe(request.operationId)
      // A new request may be noted.
      else await asked.catch(() => undefined)
    }
  }
}
