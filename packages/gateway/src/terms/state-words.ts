/**
 * The words by which a gateway names the state of an execution, a source or a session, each read as
 * the contract's own word. Case, blanks and separators don't count; a whole word does, so that
 * `NOT_PAID` is never `PAID`. A word that may mean two things is in no list: it stays as it was
 * written, and the payment is followed until its source says more.
 *
 * More words are read for a collection, which counts as completed only while its source reads
 * `PAID` as well. Money that goes back or out has no second witness: a word that may say no more
 * than "request accepted" does not complete a refund, and a word behind which the money may still
 * move does not end it.
 */
export const EXECUTION_STATES = [
  "PENDING",
  "PROCESSING",
  "COMPLETED",
  "FAILED",
  "REVERSED",
] as const
export type ExecutionState = (typeof EXECUTION_STATES)[number]

export const SOURCE_STATES = [
  "IDLE",
  "ACTIVE",
  "PROCESSING",
  "PAID",
  "CANCELED",
  "REVERSED",
] as const
export type SourceState = (typeof SOURCE_STATES)[number]

type Words<State extends string> = Readonly<Partial<Record<State, readonly string[]>>>

const ANY_EXECUTION: Words<ExecutionState> = {
  PENDING: ["INITIATED", "QUEUED", "SUBMITTED", "CREATED", "WAITING"],
  PROCESSING: ["IN_PROGRESS", "ONGOING"],
  COMPLETED: ["COMPLETE", "SUCCESSFUL", "SUCCEEDED"],
  FAILED: [
    "FAILURE",
    "CANCELLED",
    "CANCELED",
    "REJECTED",
    "DECLINED",
    "DENIED",
    "UNSUCCESSFUL",
    "NOT_SUCCESSFUL",
  ],
  REVERSED: ["REVERSAL", "CHARGED_BACK", "CHARGEBACK", "ROLLED_BACK", "CLAWED_BACK"],
}

/** Words read for collections only: the source is a collection's second witness. */
const COLLECTION: Words<ExecutionState> = {
  COMPLETED: ["SUCCESS", "SUCCESSFULL", "DONE", "PAID", "SETTLED", "FINISHED"],
  FAILED: ["EXPIRED", "TIMED_OUT", "TIMEOUT", "ABORTED"],
  REVERSED: ["REFUNDED"],
}

const SOURCE: Words<SourceState> = {
  IDLE: ["DRAFT"],
  ACTIVE: ["OPEN", "UNPAID", "PUBLISHED"],
  PROCESSING: ["IN_PROGRESS"],
  PAID: ["FULLY_PAID", "PAID_IN_FULL"],
  CANCELED: ["CANCELLED", "VOID", "VOIDED", "EXPIRED"],
  REVERSED: ["REVERSAL", "CHARGED_BACK", "CHARGEBACK"],
}

const SESSION: Words<"ACTIVE"> = { ACTIVE: ["OPEN", "CREATED"] }

/** A word in upper case, without blanks and separators: words are compared in this form. */
export function bareWord(text: string): string {
  return text.replace(/[\p{Z}\p{C}_.-]+/gu, "").toUpperCase()
}

function tableOf<State extends string>(
  states: readonly State[],
  ...lists: readonly Words<State>[]
): ReadonlyMap<string, State> {
  const words = states.flatMap((state) =>
    [state, ...lists.flatMap((list) => list[state] ?? [])].map((word): [string, State] => [
      bareWord(word),
      state,
    ]),
  )
  return new Map(words)
}

const MONEY_OUT_WORDS = tableOf(EXECUTION_STATES, ANY_EXECUTION)
const COLLECTION_WORDS = tableOf(EXECUTION_STATES, ANY_EXECUTION, COLLECTION)
const SOURCE_WORDS = tableOf(SOURCE_STATES, SOURCE)
const SESSION_WORDS = tableOf(["ACTIVE"], SESSION)

/** Which way the money of an execution goes. */
export type MovementType = "COLLECTION" | "REFUND" | "PAYOUT" | "TRANSFER"

/** The contract's state for a word; undefined: the word is unknown, or could mean two things. */
export function executionStateOf(text: string, type: MovementType): ExecutionState | undefined {
  return (type === "COLLECTION" ? COLLECTION_WORDS : MONEY_OUT_WORDS).get(bareWord(text))
}

/** As {@link executionStateOf}, for the state of an order or invoice. */
export function sourceStateOf(text: string): SourceState | undefined {
  return SOURCE_WORDS.get(bareWord(text))
}

/** As {@link executionStateOf}, for the state of a gateway session to execute with. */
export function sessionStateOf(text: string): "ACTIVE" | undefined {
  return SESSION_WORDS.get(bareWord(text))
}

/** The words that an account adds to the lists above, by their bare form. */
export type StateWords = {
  readonly execution: ReadonlyMap<string, ExecutionState>
  readonly source: ReadonlyMap<string, SourceState>
}

const KINDS = { execution: EXECUTION_STATES, source: SOURCE_STATES } as const
type Kind = keyof typeof KINDS

/**
 * The words that an account's `wire_names` add: `execution.COMPLETED` and `source.PAID`, each with
 * one word or several, separated by commas. A word that has a meaning keeps it: one typing error
 * must not make every declined payment a paid one.
 *
 * @returns the names of entries that can't be used, beside the words of those that can
 */
export function ownStateWords(wireNames: Readonly<Record<string, string>>): {
  readonly words: StateWords
  readonly wrong: readonly string[]
} {
  const words = { execution: new Map<string, string>(), source: new Map<string, string>() }
  const wrong: string[] = []
  for (const [name, value] of Object.entries(wireNames)) {
    const [, kind, state = ""] = /^(execution|source)\.(.*)$/.exec(name) ?? []
    if (!isKind(kind)) continue
    const own = value.split(",").map(bareWord)
    const isKnown = KINDS[kind].some((known) => known === state)
    const isFree = (word: string) =>
      word !== "" && [state, undefined].includes(words[kind].get(word) ?? meaningOf(kind, word))
    if (isKnown && own.every(isFree)) own.forEach((word) => words[kind].set(word, state))
    else wrong.push(name)
  }
  return { words: words as StateWords, wrong }
}

function isKind(text: string | undefined): text is Kind {
  return text === "execution" || text === "source"
}

function meaningOf(kind: Kind, word: string): string | undefined {
  return kind === "source" ? SOURCE_WORDS.get(word) : COLLECTION_WORDS.get(word)
}
