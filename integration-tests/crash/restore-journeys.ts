/**
 * A restore is noticed while late money waits for its account's rule: whichever process dies, no
 * rule moves money before the lost time is compared, and all of it goes back once afterwards.
 */
import { noticeBehind } from "../../src/ledger/database-mark"
import { MINUTE } from "../support/an-operation"
import type { Harness } from "./harness"
import type { Journey } from "./journeys"

/** Long enough for the rule to act several times, were it not held. */
const CHECKS_WHILE_BEHIND = 12

const sentBack = ({ simulator }: Harness) => simulator.book.refunds().length

export const RESTORE_JOURNEYS: readonly Journey[] = [
  {
    name: "late money after a restore, given back by policy",
    outcome: "decline_then_approve",
    isOrphanRefunded: true,
    async play(harness) {
      const { ledger } = harness.cast
      await harness.start("phone")
      await harness.settled()
      await noticeBehind(ledger.database, "person")
      for (let checks = 0; checks < CHECKS_WHILE_BEHIND; checks++) {
        await harness.pass(MINUTE)
        await harness.everybody()
      }
      if (sentBack(harness) > 0) {
        harness.surprises.push("a rule sent money before the lost time was compared")
      }
      // Compared: no worker of the harness beats, so the mark goes as a whole.
      await ledger.sql("truncate mp_database_mark")
      await harness.quiet()
    },
  },
]
