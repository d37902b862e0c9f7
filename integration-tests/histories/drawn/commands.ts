/**
 * What can happen to one cart, as plain data, so that a counterexample can be read, and pasted into
 * a test. After each command the processes get so many turns before the next one comes.
 */
import fc from "fast-check"
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import type { Means } from "../commands"
import type { Outcome } from "../../../packages/simulator/src/rules/timeline"

/** None that is waited out in real time. */
const FAULTS = [
  "reset:before",
  "reset:after",
  "500:before",
  "500:after",
  "503:2:after",
  "cut:after",
  "cut_silently:after",
  "shape:after",
  "html:after",
  "429",
  "401",
  "403",
  "404",
  "422",
] as const satisfies readonly FaultEntry[]
type Fault = (typeof FAULTS)[number]

type Tab = 0 | 1
export type Worker = "A" | "B"

type Deed =
  /** The tab is opened, or loaded again: it knows the cart's payment session of now. */
  | { readonly do: "load"; readonly tab: Tab }
  /** A way to pay is chosen, or the session is posted once more: Medusa makes a new one. */
  | { readonly do: "choose"; readonly tab: Tab; readonly way: "phone" | "page" }
  | { readonly do: "start"; readonly tab: Tab }
  | { readonly do: "cancel"; readonly tab: Tab }
  | { readonly do: "status"; readonly tab: Tab }
  /** `through`: by a store route, which is guarded, or in Medusa's admin, which is not. */
  | { readonly do: "edit"; readonly total: string; readonly through: "store" | "admin" }
  /** Answers a prompt that waits on the phone. */
  | { readonly do: "answer"; readonly prompt: number; readonly approves: boolean }
  /** What the wallet does with the next execution, instead of asking the shopper. */
  | { readonly do: "wallet"; readonly outcome: Outcome }
  /** Pays on a page whose address was handed out, however long ago. */
  | { readonly do: "pay"; readonly page: number; readonly with: Means }
  /** Somebody cancels a source in the merchant's portal. */
  | { readonly do: "close"; readonly source: number }
  /** An admin gives some of it back, or all; two who click in the same moment ask twice. */
  | { readonly do: "refund"; readonly part: string; readonly admins: 1 | 2 }
  /** What becomes of the next refund at the gateway. */
  | { readonly do: "refund ends"; readonly outcome: Outcome }
  | { readonly do: "check"; readonly worker: Worker }
  /** Whoever it is dies at its so-many-th exit from now on. */
  | { readonly do: "kill"; readonly who: "shop" | Worker; readonly moments: number }
  | { readonly do: "fault"; readonly operation: string; readonly fault: Fault }
  /** Medusa refuses to complete the cart so often. */
  | { readonly do: "refuse"; readonly times: number }
  | { readonly do: "pass"; readonly ms: number }

export type Command = Deed & { readonly turns: number }

export type Setting = {
  /** How the account makes its sources. */
  readonly isDocumentFirst: boolean
  /** The way that the shopper takes first. */
  readonly way: "phone" | "page"
  /** What meets the first execution. */
  readonly firstExecution: Fault | null
  /** The first process of the shop dies after so many exits. */
  readonly firstDies: number | null
  /** What becomes of prompts that wait, and of open pages, when the last command is over. */
  readonly atTheEnd: "paid" | "declined" | "left"
  /** What admins do once all is quiet, while both workers look. */
  readonly givesBack: {
    readonly part: string
    readonly admins: 1 | 2
    readonly outcome: Outcome
    /** The process of the first dies after so many exits. */
    readonly firstDies: number | null
  } | null
  /** Whether an admin decides about what waits for one, once all is quiet. */
  readonly decides: boolean
  /** Of the ids, and of the gateway's. */
  readonly seed: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Enough for a whole `start` without anybody beside it. */
const ALL_TURNS = 200
const SOME_TURNS = 12
const LENGTH_MAX = 24
/** A `start` passes about so many exits, what it reads included. */
const MOMENTS_MAX = 30

const OPERATIONS = [
  "executeCollection",
  "executeCollection",
  "getCollectionStatus",
  "getCollectionStatus",
  "getPaymentSourceStatus",
  "getPaymentSourceStatus",
  "createCheckoutSource",
  "createCheckoutSession",
  "createPaymentAccount",
  "predictMmoProviderInfo",
  "cancelOrder",
  "publishOrder",
  "createOrder",
  "addOrderItem",
  "clientObtainToken",
  "createRefundSession",
  "executeRefund",
  "executeRefund",
  "getRefundStatus",
]

const tabs = fc.constantFrom<Tab>(0, 1)
const workers = fc.constantFrom<Worker>("A", "B")
const few = fc.nat(3)

const parts = fc.constantFrom("all", "all", "5", "6.67", "12.5")
const admins = fc.constantFrom<1 | 2>(1, 1, 2)
const refundOutcomes = fc.constantFrom<Outcome>("approve", "decline", "pending_then_approve")

const deeds: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Deed> }[] = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant("load"), tab: tabs }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("choose"),
      tab: tabs,
      way: fc.constantFrom("phone", "page"),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("start"), tab: tabs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel"), tab: tabs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("status"), tab: tabs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("edit"),
      total: fc.constantFrom("24.99", "9.5", "66.61775", "19.99"),
      through: fc.constantFrom("store", "store", "admin"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer"),
      prompt: fc.nat(1),
      approves: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wallet"),
      outcome: fc.constantFrom<Outcome>(
        "approve",
        "decline",
        "decline_then_approve",
        "pending_then_approve",
        "insufficient_funds",
        "never",
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pay"),
      page: few,
      with: fc.constantFrom("card", "card", "phone", "bad card"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close"), source: few }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("refund"),
      part: parts,
      admins,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("refund ends"),
      outcome: refundOutcomes,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("check"), worker: workers }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("kill"),
      who: fc.constantFrom("shop", "A", "B"),
      moments: fc.nat(MOMENTS_MAX),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fault"),
      operation: fc.constantFrom(...OPERATIONS),
      fault: fc.constantFrom(...FAULTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("refuse"), times: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pass"),
      ms: fc.constantFrom(
        2 * SECOND,
        6 * SECOND,
        20 * SECOND,
        MINUTE,
        2 * MINUTE + SECOND,
        16 * MINUTE,
        31 * MINUTE,
        HOUR,
        25 * HOUR,
      ),
    }),
  },
]

const turns = fc.oneof(
  { weight: 3, arbitrary: fc.nat(SOME_TURNS) },
  { weight: 2, arbitrary: fc.constant(ALL_TURNS) },
)

export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.tuple(fc.oneof(...deeds), turns).map(([deed, given]): Command => ({ ...deed, turns: given })),
  { minLength: 1, maxLength: LENGTH_MAX, size: "max" },
)

export const settings: fc.Arbitrary<Setting> = fc.record({
  isDocumentFirst: fc.constantFrom(false, false, true),
  way: fc.constantFrom("phone", "page"),
  firstExecution: fc.oneof(fc.constant(null), fc.constant(null), fc.constantFrom(...FAULTS)),
  firstDies: fc.oneof(fc.constant(null), fc.constant(null), fc.nat(MOMENTS_MAX)),
  atTheEnd: fc.constantFrom("paid", "paid", "declined", "left"),
  givesBack: fc.oneof(
    fc.constant(null),
    fc.record({
      part: parts,
      admins,
      outcome: refundOutcomes,
      firstDies: fc.oneof(fc.constant(null), fc.nat(MOMENTS_MAX)),
    }),
  ),
  decides: fc.boolean(),
  seed: fc.nat(),
})
