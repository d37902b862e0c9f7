/** The setup check and the test of a connection. */
import { z } from "zod"
import { number, type Output, text, time } from "../../core/schemas/shapes"

/** `note`: an admin should read the line, and has to do nothing now. */
export const checkStatus = z.enum(["ok", "note", "warning", "failed", "skipped"])
export type CheckStatus = Output<typeof checkStatus>

/** One line of a connection test or of the setup check. */
export const checkLine = z.strictObject({
  /** The name of the check; the responses below list the names. */
  name: text,
  status: checkStatus,
  /** The result of the check, as a code. */
  code: text,
  /** The code's sentence in English: the state, why it matters, and what to do. */
  message: text,
  /** The figures in the message. */
  facts: z.record(text, z.union([text, number]).nullable()),
})
export type CheckLine = Output<typeof checkLine>

/**
 * `POST accounts/:id/test`; an `:id` of `new` for an account that is not saved yet. Names:
 * `reachable`, `credentials`, `token_lifetime`, `clock`, `verified`, `fees`, `sold` (left out where
 * Medusa's regions can't be read), and `operator:<payment method>` for each operator that what the
 * shop sells in needs. With an operator also what this gateway's answers teach: `amount_form`,
 * `state_words`, `unknown_reference`.
 */
export const connectionTestResponse = z.strictObject({
  lines: z.array(checkLine),
  tested_at: time,
})
export type ConnectionTestResponse = Output<typeof connectionTestResponse>

/**
 * `GET health`; 503 when `down`. Names: `database`, `tables`, `accounts`, `encryption_key`,
 * `providers`, `currencies`, `operator_names`, `locking`, `workflow_engine`, `job`, `oldest_due`,
 * `medusa_answers`, `gateway_errors`, `too_many_requests`, `gateway_forms`, `one_network`,
 * `declined_cards`, `last_call`, `notifications`, `review`, and `settings`, or one
 * `setting:<variable or option>` for each that is missing or wrong. While tables are missing there
 * are `database` and `tables` alone.
 */
export const healthResponse = z.strictObject({
  status: z.enum(["ok", "degraded", "down"]),
  checks: z.array(checkLine),
})
export type HealthResponse = Output<typeof healthResponse>
