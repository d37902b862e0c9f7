/** What is stored of an account's changes. */
import { z } from "zod"
import type { AccountId } from "../ids"
import { idText, type Output, text } from "./shapes"

/** What a change does to an account once another admin agrees. */
export const PROPOSAL_NAMES = ["created", "changed", "removed"] as const

/** By the field's name. The environment's changes leave out a side that is nothing. */
export const accountChanges = z.record(
  text,
  z.object({ from: z.unknown().default(null), to: z.unknown().default(null) }),
)
export type AccountChanges = Output<typeof accountChanges>

/** A change that waits for a second person. It holds no secret. */
export const accountProposal = z.object({
  /** The account's id; for a new account, the id that it will have. */
  accountId: idText<AccountId>(),
  label: text,
  /** The account event that the change becomes once it is made. */
  name: z.enum(PROPOSAL_NAMES),
  /** The fields that two people have to want alike. */
  fields: z.array(text),
  changes: accountChanges,
})
export type AccountProposal = Output<typeof accountProposal>
