/**
 * Reads a list while it arrives: element by element, handed to the caller in batches. What it holds
 * at once is one batch and one element, however long the list is.
 */
import { LIMITS } from "../terms/limits"
import type { FieldProblem, LostReason } from "../errors"
import { UnusableField, type Parsed, type Reader } from "../wire/reading"
import { parseJson } from "./parse-json"
import { ElementSplitter } from "./split-elements"

/**
 * Gets the records of a list in the gateway's order, some hundreds at a time. The next ones are
 * read when the promise is fulfilled. What it throws ends the reading, and the call rejects with it.
 */
export type TakeBatch<Item> = (batch: readonly Item[]) => void | Promise<void>

/** What one call has handed to its caller, over all its tries. */
export class Handing<Item> {
  /** The records that the caller got. */
  count = 0
  thrown: { readonly error: unknown } | undefined
  /** Changes each batch before the caller gets it. */
  change: (batch: readonly Item[]) => readonly Item[] = (batch) => batch
  private isClosed = false
  private idle: Promise<void> = Promise.resolve()

  constructor(private readonly take: TakeBatch<Item>) {}

  /** @returns false when the caller gets no more: it threw, or its call has ended */
  async hand(batch: readonly Item[]): Promise<boolean> {
    if (this.isClosed) return false
    this.count += batch.length
    const taken = (async () => this.take(this.change(batch)))()
    this.idle = taken.catch((error: unknown) => {
      this.thrown ??= { error }
    })
    await this.idle
    return this.thrown === undefined && !this.isClosed
  }

  /** Hands over no more, and waits for the batch that the caller is at work on. */
  close(): Promise<void> {
    this.isClosed = true
    return this.idle
  }
}

/** What became of a list that was read: its length, or the element that could not be read. */
export class ListRead {
  constructor(
    readonly count: number,
    readonly problems: readonly FieldProblem[] | undefined,
  ) {}
}

/** Why the reading ends here: a whole result, or the loss that the exchange reports. */
export type Stop = ListRead | LostReason

/** Undefined: the next chunk may come. */
export type Taken = Stop | undefined

/** The body of one answer that is read while it arrives. */
export type BodyStream = {
  /** Whether the body turned out to be a list. Until then, and if not, it is kept as any other. */
  readonly isList: boolean
  readonly isOther: boolean
  /** A promise only where the caller has a batch to work on: each pause of a connection is dear. */
  take(chunk: Buffer): Taken | Promise<Taken>
  /** @returns the result of a list that has ended with its last byte */
  end(): Promise<Stop>
}

export class ListBody<Item> implements BodyStream {
  private readonly splitter = new ElementSplitter(LIMITS.bodyLimitBytes)
  private batch: Item[] = []
  private count = 0

  constructor(
    private readonly read: (element: unknown) => Parsed<Item>,
    private readonly handing: Handing<Item>,
  ) {}

  get isList(): boolean {
    return this.splitter.isList
  }

  get isOther(): boolean {
    return this.splitter.isOther
  }

  take(chunk: Buffer): Taken | Promise<Taken> {
    return this.takeAll(this.splitter.split(chunk))
  }

  private takeAll(texts: Iterator<string>): Taken | Promise<Taken> {
    for (let next = texts.next(); next.done !== true; next = texts.next()) {
      const element = parseJson(next.value)
      if (element === undefined) return "not_json"
      const parsed = this.read(element)
      if (!parsed.ok) return new ListRead(this.count, under(this.count, parsed.problems))
      this.count += 1
      this.batch.push(parsed.value)
      if (this.batch.length < LIMITS.listBatchMax) continue
      return this.handOver().then((isWanted) => (isWanted ? this.takeAll(texts) : "aborted"))
    }
    return this.splitter.brokenBy
  }

  async end(): Promise<Stop> {
    if (!this.splitter.isWhole) return this.splitter.brokenBy ?? "not_json"
    if (this.batch.length > 0 && !(await this.handOver())) return "aborted"
    return new ListRead(this.count, undefined)
  }

  private handOver(): Promise<boolean> {
    const { batch } = this
    this.batch = []
    return this.handing.hand(batch)
  }
}

/** Puts the problems of a list's element under the element's index. */
function under(index: number, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map(({ path, message }) => ({
    path: path === "" ? String(index) : `${index}.${path}`,
    message,
  }))
}

/** The outcome of a list that was read while it arrived: how many records it has. */
export type ReadList = { readonly count: number }

/** Makes the reader of the answer to a streamed list. A body that was no array is unreadable. */
export function readListReader<Request>(
  element: Pick<Reader<unknown, unknown>, "schema">,
): Reader<Request, ReadList> {
  const read = (body: unknown): Parsed<ReadList> => {
    if (!(body instanceof ListRead)) {
      return { ok: false, problems: [new UnusableField("", "not a JSON array")] }
    }
    const { count, problems } = body
    return problems ? { ok: false, problems } : { ok: true, value: { count } }
  }
  return Object.assign(read, { schema: element.schema })
}
