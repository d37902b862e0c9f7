import { MINUTE } from "../../core/limits/time"
import type { HealthCode } from "../../core/messages"
import type { CheckLine } from "../schemas/health"

export type DatabaseFacts = {
  /** The database may lack what was committed since then; absent: it lacks nothing. */
  readonly behindSince?: Date | undefined
  /** When its clock was put back lately, and by how much; absent: it was not. */
  readonly putBack?: { readonly at: Date; readonly ms: number } | undefined
}

type Line = Pick<CheckLine, "status" | "facts"> & { readonly code: HealthCode }

/** What an admin has to know of a database that answers. */
export function databaseLine({ behindSince, putBack }: DatabaseFacts): Line {
  if (behindSince) {
    const facts = { since: behindSince.toISOString() }
    return { status: "warning", code: "database_behind", facts }
  }
  if (!putBack) return { status: "ok", code: "database_answers", facts: {} }
  const facts = { at: putBack.at.toISOString(), minutes: Math.ceil(putBack.ms / MINUTE) }
  return { status: "warning", code: "clock_put_back", facts }
}
