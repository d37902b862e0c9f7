import { anOperation, MINUTE, SECOND } from "../../../integration-tests/support/an-operation"
import {
  absent,
  afterRead,
  both,
  execution,
  inMs,
  quiet,
  refused,
  schedule,
  source,
  table,
  unknown,
  watch,
} from "../../../integration-tests/support/decide-table"
import type { MedusaOperation, Operation } from "../operation"

/**
 * 404 for the reference; `ago` since the sending, the only one, `absentFor` since the first 404.
 */
function missing(
  ago: number,
  absentFor: number | null,
  given: Partial<MedusaOperation> = {},
): Operation {
  return anOperation({
    lastSending: "in_doubt",
    submittedAt: afterRead(-ago),
    lastSentAt: afterRead(-ago),
    absentAt: absentFor === null ? null : afterRead(-absentFor),
    ...given,
  })
}

/** Neither the reference nor the source could be read, for this long. */
const unreadable = (ms: number) => ({ contradictedAt: afterRead(-ms) })
/** 404, and what its source reads. */
const beside = (status: string) => ({ ...absent, source: source(status) })
/** The second 404, far enough from the first. */
const twice = missing(8 * SECOND, 5 * SECOND)
const resent = { event: undefined, action: "resend" } as const
const closed = {
  event: undefined,
  action: "close_source",
  marks: { closing: "never_landed" },
} as const
const closing = { closing: "never_landed" } as const

describe("[B31] a reference that the gateway does not know", () => {
  table([
    [
      "is asked for again before anything else",
      missing(3 * SECOND, null),
      absent,
      { ...quiet, marks: { absent: true }, next: inMs(5_000) },
    ],
    [
      "after 4 s is only asked for",
      missing(8 * SECOND, 4_000),
      absent,
      { ...quiet, next: inMs(2_000) },
    ],
    ["after 5 s has its source asked", twice, absent, { event: undefined, action: "ask_source" }],
    ["is sent again, the same one, while its source is ACTIVE", twice, beside("ACTIVE"), resent],
    ["is sent again while its source is IDLE", twice, beside("IDLE"), resent],
    ["is only asked for while its source is PROCESSING", twice, beside("PROCESSING"), quiet],
    ["is only asked for while its source is PAID", twice, beside("PAID"), quiet],
    ["is only asked for while its source reads what nobody knows", twice, beside("ODD"), quiet],
    [
      "ends when its source is CANCELED",
      twice,
      beside("CANCELED"),
      { event: "expire", reason: "never_landed", next: watch },
    ],
    [
      "is sent again 5 s after another sending that did not arrive",
      missing(7 * SECOND, 5 * SECOND, { submittedAt: afterRead(-40 * SECOND), sendings: 3 }),
      beside("ACTIVE"),
      resent,
    ],
    [
      "[P03] after a process that died before the call is sent as well",
      missing(8 * SECOND, 5 * SECOND, { lastSending: "sending" }),
      beside("ACTIVE"),
      resent,
    ],
    [
      "[N01] that never left us goes again at once, without a witness",
      missing(2 * SECOND, null, { lastSending: "not_sent" }),
      absent,
      resent,
    ],
    [
      "[N01] that never left us a second ago waits its two",
      missing(SECOND, null, { lastSending: "not_sent" }),
      absent,
      { ...quiet, next: inMs(2_000) },
    ],
    [
      "that is known after all is in flight",
      missing(2 * MINUTE, 2 * MINUTE),
      both("PROCESSING", "ACTIVE"),
      { event: "see", marks: { absent: false, failed: false } },
    ],
  ])
})

describe("[B33] a 404 of what the gateway has answered for", () => {
  const rows = (
    [
      ["the call", { lastSending: "accepted" }],
      ["a look", { state: "in_flight", lastSending: "in_doubt" }],
    ] as const
  ).flatMap(([what, given]) => [
    [
      `in ${what} sends nothing again`,
      missing(50 * SECOND, 40 * SECOND, given),
      beside("ACTIVE"),
      { ...quiet, marks: { absent: true }, next: schedule },
    ] as const,
    [
      `in ${what} closes nothing after a minute`,
      missing(2 * MINUTE, MINUTE, given),
      beside("ACTIVE"),
      quiet,
    ] as const,
    [
      `in ${what} has its source closed after 15 minutes`,
      missing(15 * MINUTE, 14 * MINUTE, given),
      beside("ACTIVE"),
      closed,
    ] as const,
  ])
  table(rows)
})

describe("[B31] what has not landed", () => {
  const late = missing(60 * SECOND, 30 * SECOND)
  const closingNow = missing(62 * SECOND, 31 * SECOND, closing)
  const longAgo = missing(15 * MINUTE, 14 * MINUTE, closing)
  const lasting = missing(16 * MINUTE, 15 * MINUTE, { ...closing, ...unreadable(15 * MINUTE) })
  table([
    [
      "59 s after the first sending is sent again",
      missing(59_000, 9_000),
      beside("ACTIVE"),
      resent,
    ],
    ["60 s after the first sending has its source closed", late, beside("ACTIVE"), closed],
    [
      "60 s after the first of several sendings has its source closed",
      missing(8 * SECOND, 5 * SECOND, { submittedAt: afterRead(-60 * SECOND), sendings: 4 }),
      beside("ACTIVE"),
      closed,
    ],
    [
      "60 s after the first of several that never left us has its source closed",
      missing(5 * SECOND, null, { submittedAt: afterRead(-60 * SECOND), lastSending: "not_sent" }),
      beside("ACTIVE"),
      closed,
    ],
    [
      "when the time to pay is over has its source closed",
      { ...twice, expiresAt: afterRead(0) },
      beside("ACTIVE"),
      closed,
    ],
    ["is not closed while its source is PROCESSING", late, beside("PROCESSING"), quiet],
    ["is closed again until it is", closingNow, absent, closed],
    [
      "whose source is closed ends, and may be tried again",
      closingNow,
      beside("CANCELED"),
      { event: "expire", reason: "never_landed", next: watch },
    ],
    [
      "whose source is PROCESSING landed: it is asked for again",
      closingNow,
      beside("PROCESSING"),
      { ...quiet, marks: { absent: false } },
    ],
    ["whose source is PAID landed: it is asked for again", closingNow, beside("PAID"), quiet],
    [
      "whose source is not closed yet is closed once more",
      closingNow,
      beside("ACTIVE"),
      { ...quiet, action: "close_source", next: schedule },
    ],
    [
      "whose source does not answer is looked at soon",
      closingNow,
      { ...absent, source: unknown },
      { ...quiet, next: schedule },
    ],
    [
      "whose source can't be read for a moment is looked at soon",
      closingNow,
      { ...absent, source: refused },
      { ...quiet, next: schedule },
    ],
    [
      "whose source can't be read once, however long ago it was sent, is checked again",
      longAgo,
      { ...absent, source: refused },
      { ...quiet, marks: { contradicted: true }, next: schedule },
    ],
    [
      "whose source reads again forgets that it did not, and closes it",
      lasting,
      beside("ACTIVE"),
      { ...quiet, action: "close_source", marks: { contradicted: false }, next: schedule },
    ],
    [
      "whose source can't be read for lack of rights, for 15 minutes, is for a person",
      lasting,
      { ...absent, source: refused },
      { event: "doubt", reason: "credentials" },
    ],
    [
      "whose source is unknown as well, for 15 minutes, is for a person",
      lasting,
      { ...absent, source: { kind: "absent" } },
      { event: "doubt", reason: "credentials" },
    ],
  ])
})

describe("[B41] what the shopper gave up, and the gateway does not know", () => {
  const canceled = { closing: "canceled" } as const
  const givenUp = missing(8 * SECOND, 5 * SECOND, { ...canceled, lastSending: "not_sent" })
  const lasting = missing(16 * MINUTE, 15 * MINUTE, { ...canceled, ...unreadable(15 * MINUTE) })
  const kept = { ...quiet, marks: { absent: false }, next: schedule }
  table([
    [
      "has its source closed while that is ACTIVE",
      givenUp,
      beside("ACTIVE"),
      {
        action: "close_source",
        marks: canceled,
      },
    ],
    ["ends when its source is CANCELED", givenUp, beside("CANCELED"), { event: "expire" }],
    ["stays given up while its source is PROCESSING", givenUp, beside("PROCESSING"), kept],
    ["stays given up while its source is PAID", givenUp, beside("PAID"), kept],
    ["stays given up while its source reads what nobody knows", givenUp, beside("ODD"), quiet],
    [
      "is for a person where its source is unknown as well, for 15 minutes",
      lasting,
      { ...absent, source: { kind: "absent" } },
      { event: "doubt", reason: "credentials" },
    ],
    [
      "but is on the phone, goes on while its source is PROCESSING",
      givenUp,
      { ...execution("PENDING"), source: source("PROCESSING") },
      { event: undefined, marks: { closing: null } },
    ],
  ])
})

describe("[N19] without the source's word", () => {
  const unread = { ...absent, source: unknown }
  table([
    [
      "59 s of 404 send nothing",
      missing(2 * MINUTE, 59 * SECOND),
      unread,
      { ...quiet, next: schedule },
    ],
    ["60 s of 404 send the same reference again", missing(2 * MINUTE, 60 * SECOND), unread, resent],
    [
      "a source that is refused counts as little",
      missing(2 * MINUTE, 59 * SECOND),
      { ...absent, source: refused },
      quiet,
    ],
    [
      "a source that asks for patience gets it",
      twice,
      { ...absent, source: { kind: "later", afterMs: 17_000 } },
      { ...quiet, next: inMs(17_000) },
    ],
    ["nothing is sent twice within a minute", missing(30 * SECOND, 5 * MINUTE), unread, quiet],
    [
      "nothing is sent when the time to pay is over",
      missing(2 * MINUTE, 2 * MINUTE, { expiresAt: afterRead(0) }),
      unread,
      quiet,
    ],
    [
      "15 minutes after the last sending the source is closed",
      missing(15 * MINUTE, 14 * MINUTE),
      unread,
      closed,
    ],
  ])
})

describe("[N20] a first sending that was refused", () => {
  const refused = { lastSending: "refused", reason: "declined" } as const
  const once = missing(2 * SECOND, null, refused)
  const again = missing(7 * SECOND, 5_000, refused)
  const closedAs = { action: "close_source", marks: { closing: "declined" } } as const
  table([
    ["is asked for once more", once, absent, { ...quiet, next: inMs(5_000) }],
    ["too soon is not the second time", missing(6 * SECOND, 4_000, refused), absent, quiet],
    ["and unknown twice has its source asked", again, absent, { action: "ask_source" }],
    ["is closed while its source is ACTIVE", again, beside("ACTIVE"), closedAs],
    ["is closed while its source is IDLE", again, beside("IDLE"), closedAs],
    ["has landed where its source is PROCESSING", again, beside("PROCESSING"), quiet],
    ["has landed where its source is PAID", again, beside("PAID"), quiet],
    ["frees nothing while its source can't be read", again, { ...absent, source: unknown }, quiet],
    [
      "ends once its source is CANCELED, and says why",
      again,
      beside("CANCELED"),
      { event: "expire", reason: "declined", next: watch },
    ],
    [
      "without a reason never landed",
      { ...again, reason: null },
      beside("CANCELED"),
      { event: "expire", reason: "never_landed" },
    ],
    [
      "after a sending in doubt is sent again as any other",
      { ...again, sendings: 2 },
      beside("ACTIVE"),
      resent,
    ],
  ])
})
