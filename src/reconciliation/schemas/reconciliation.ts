/**
 * The types of the reconciliation's route, for the flows that fill them and for the page. Amounts
 * are exact decimal text in major units, with their currency beside; times ISO 8601 in UTC.
 */
import { z } from "zod"
import type { AccountId, OperationId, OrderId } from "../../core/ids"
import { DIFFERENCE, INCOMPLETE } from "../../core/messages/difference.en"
import { invalidAs } from "../../core/refusal"
import {
  count,
  day,
  flag,
  idOf,
  idText,
  keysOf,
  number,
  type Output,
  text,
  time,
  timeZone,
} from "../../core/schemas/shapes"

/** `{ amount: "19.99", currency: "USD" }`. Medusa's amount has all of its digits. */
export const sideAmount = z.strictObject({
  amount: text,
  currency: text,
})
export type SideAmount = Output<typeof sideAmount>

export const differenceResponse = z.strictObject({
  code: keysOf(DIFFERENCE),
  /** The code in English. */
  en: text,
  /**
   * `checked_again`: the job asks the gateway at once and decides. `held_for_review`: the operation
   * waits for an admin. `listed`: nothing was done; an admin has to sort it out.
   */
  done: z.enum(["checked_again", "held_for_review", "listed"]),
  operation_id: idText<OperationId>().nullable(),
  state: text.nullable(),
  source_type: text.nullable(),
  source_id: number.nullable(),
  document_reference: text.nullable(),
  gateway_status: text.nullable(),
  payment_id: text.nullable(),
  order_id: idText<OrderId>().nullable(),
  gateway_amount: sideAmount.nullable(),
  ledger_amount: sideAmount.nullable(),
  /** What Medusa holds as captured. */
  medusa_amount: sideAmount.nullable(),
})
export type DifferenceResponse = Output<typeof differenceResponse>

/**
 * A difference as it is stored. Its sentence is not stored: it comes from the version that shows
 * it.
 */
export const keptDifference = differenceResponse.omit({ en: true })
export type KeptDifference = Output<typeof keptDifference>

/** An amount is decimal text in major units. */
export const total = z.strictObject({
  count,
  amount: text,
})
export type Total = Output<typeof total>

/** `exact`: with every digit that Medusa keeps; `amount` counts each payment as it was charged. */
export const medusaTotal = z.strictObject({
  ...total.shape,
  exact: text,
})
export type MedusaTotal = Output<typeof medusaTotal>

/**
 * Where the money that the gateway took has gone, by what came in of each payment; the parts add up
 * to what it lists as paid.
 */
export const periodBridge = z.strictObject({
  /** Payments that Medusa holds as captured, with what came in above the asked amount. */
  recorded: total,
  under_review: total,
  /** Money that was sent back without ever having been in Medusa. */
  given_back: total,
  /** Money that an admin has dismissed, with a reason. */
  dismissed: total,
  /** Money that is not confirmed yet, or on its way into Medusa. */
  under_way: total,
  /** Money that no other part explains; the amount and the count may be negative. */
  remainder: total,
})
export type PeriodBridge = Output<typeof periodBridge>

export const periodTotals = z.strictObject({
  currency: text,
  /** Null: the gateway could not be read. */
  bridge: periodBridge.nullable(),
  /** Null: the gateway could not be read. */
  gateway: z
    .strictObject({
      paid: total,
      /** Paid sources that none of this store's payments made. */
      elsewhere: total,
    })
    .nullable(),
  ledger: z.strictObject({
    completed: total,
    /** Money that came in and waits for an admin. */
    under_review: total,
    /**
     * All money that came in, wherever it is now. It equals what the gateway lists as paid, if the
     * two agree.
     */
    received: total,
    /**
     * Payments recorded in Medusa, with what was asked for. It equals what Medusa holds, if the two
     * agree.
     */
    recorded: total,
  }),
  medusa: z.strictObject({
    captured: medusaTotal,
  }),
  /** Refunds that were asked for in the period, whenever their money had come in. */
  refunds: z.strictObject({
    /** Refunds that the gateway confirmed one by one. */
    gateway: total,
    /** Refunds that were sent and are not known to have failed. */
    ledger: total,
    /** The part of `ledger` that the gateway has not confirmed yet. */
    under_way: total,
    /** The part of `ledger` that waits for an admin. */
    under_review: total,
    /** The part of `ledger` whose money Medusa holds. It equals `medusa`, if the two agree. */
    recorded: total,
    medusa: medusaTotal,
  }),
})
export type PeriodTotals = Output<typeof periodTotals>

export const accountReconciliation = z.strictObject({
  account_id: idText<AccountId>(),
  label: text,
  /** False: the gateway could not be read, or not all that had to be asked was answered. */
  is_complete: z.boolean(),
  incomplete_because: z.array(
    z.strictObject({
      code: text,
      en: text,
    }),
  ),
  compared_at: time,
  /** What was compared, and how many differences of each code there were. */
  counts: z.record(text, number),
  totals: z.array(periodTotals),
  differences: z.array(differenceResponse),
  /** The number of differences that `differences` leaves out. */
  left_out: number,
})
export type AccountReconciliation = Output<typeof accountReconciliation>

/** What a comparison found, as it is stored and printed. */
export const accountReport = z.strictObject({
  ...accountReconciliation.pick({
    account_id: true,
    is_complete: true,
    counts: true,
    left_out: true,
  }).shape,
  incomplete_because: z.array(keysOf(INCOMPLETE)),
  differences: z.array(keptDifference),
})
export type AccountReport = Output<typeof accountReport>

/** A report, with what each side adds up to, by currency. */
export const accountSums = z.strictObject({
  ...accountReport.shape,
  totals: z.array(periodTotals),
})
export type AccountSums = Output<typeof accountSums>

/** How a payment was made, as the gateway names it; null where it has not said. */
export const operator = z.strictObject({
  payment_method: text.nullable(),
  /** The operator's name; null where it is not known. */
  label: text.nullable(),
  carrier: text.nullable(),
})
export type Operator = Output<typeof operator>

/**
 * How the ended tries ended. `rate`: the completed part of them, from 0 to 1; null where there are
 * none.
 */
export const success = z.strictObject({
  completed: number,
  failed: number,
  expired: number,
  rate: number.nullable(),
})
export type Success = Output<typeof success>

/**
 * Seconds from the prompt to the payer's confirmation, of payments whose moment is known; null:
 * there are none.
 */
export const confirming = z.strictObject({
  count,
  p50_seconds: number.nullable(),
  p90_seconds: number.nullable(),
})
export type Confirming = Output<typeof confirming>

const sum = z.strictObject({
  ...total.shape,
  currency: text,
})

export const periodFigures = z.strictObject({
  /** All money that came in, wherever it is now, before fees and refunds. */
  by_currency: z.array(sum),
  by_operator: z.array(
    z.strictObject({
      ...operator.shape,
      ...sum.shape,
      success,
      confirming,
    }),
  ),
  /** Days in the `time_zone` of the response, `YYYY-MM-DD`; a day without money is left out. */
  by_day: z.array(
    z.strictObject({
      ...operator.shape,
      ...sum.shape,
      day: text,
    }),
  ),
  success,
  confirming,
})
export type PeriodFigures = Output<typeof periodFigures>

/**
 * `waits`: not settled yet. `unequal`: settled, and two sides that count the same money have other
 * sums. `received`: gateway and ledger; `recorded` and `refunded`: ledger and Medusa;
 * `not_explained`: money that the gateway took is in no known place, or the places hold more than
 * it took.
 */
export const open = z.strictObject({
  kind: z.enum(["waits", "unequal"]),
  what: z.enum([
    "under_review",
    "under_way",
    "refunds_under_way",
    "refunds_under_review",
    "received",
    "recorded",
    "refunded",
    "not_explained",
  ]),
  currency: text,
  /** The sum that waits or is not explained; null for two sums that are not equal. */
  sum: total.nullable(),
  /** The two sums that are not equal, the ledger's among them; else null. */
  sums: z.tuple([total, z.union([medusaTotal, total])]).nullable(),
})
export type Open = Output<typeof open>

export const agreement = z.strictObject({
  is_green: z.boolean(),
  open: z.array(open),
})
export type Agreement = Output<typeof agreement>

/** `GET reconciliation` */
export const reconciliationResponse = z.strictObject({
  from: text,
  /** The end of the period, not included. */
  to: text,
  /** The time zone by whose days `figures` counts. */
  time_zone: text,
  /** False: one of the accounts was not compared, or not as a whole. */
  is_complete: z.boolean(),
  /** A comparison of this period is under way; the response shows what the last one found. */
  is_running: z.boolean(),
  /** The last comparison of this period stopped before its end, because its process ended. */
  has_stopped: z.boolean(),
  /** When the running or stopped comparison began; null where there is none. */
  begun_at: time.nullable(),
  /** When the account that was compared longest ago was compared; null while one never was. */
  compared_at: time.nullable(),
  accounts: z.array(accountReconciliation),
  /** Whether the three sides agree, and if not, what waits or is not equal. */
  agreement,
  figures: periodFigures,
})
export type ReconciliationResponse = Output<typeof reconciliationResponse>

/** A day in the time zone of the query, or a moment. */
export const dayOrMoment = z.union([day, time], invalidAs("time"))

export const periodQuery = z.strictObject({
  /** Left out: today. */
  from: dayOrMoment.optional(),
  /** A day is included whole; a moment is the first that is not included. */
  to: dayOrMoment.optional(),
  account_id: idOf<AccountId>().optional(),
  /** `csv`: the whole as a file. */
  format: z.enum(["json", "csv"]).optional(),
  /** `true`: compare now, even if a comparison of this period is there. */
  fresh: flag.optional(),
  only: z.enum(["differences"]).optional(),
  /** Left out: the shop's time zone, else UTC. */
  time_zone: timeZone.optional(),
})
