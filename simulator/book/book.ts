/**
 * The truth: every record the gateway keeps, by id. The book knows no rules; it only finds, adds
 * and says that it changed. Records are changed through `update`, so that no change stays unsaved.
 */
import {
  emptyBook,
  type BookData,
  type Counterparty,
  type Counters,
  type Document,
  type Execution,
  type Party,
  type PaymentAccount,
  type Session,
} from "./records"

export class Book {
  readonly parties = new Map<number, Party>()
  readonly counterparties = new Map<number, Counterparty>()
  readonly documents = new Map<number, Document>()
  readonly sessions = new Map<number, Session>()
  readonly accounts = new Map<number, PaymentAccount>()
  readonly executions = new Map<string, Execution>()
  readonly #counters: Counters
  readonly #executionsBySource = new Map<number, Execution[]>()
  readonly #documentByToken = new Map<string, Document>()
  readonly #partyByPhone = new Map<string, Party>()
  readonly #counterpartiesByParty = new Map<number, Counterparty[]>()
  #onChange: () => void = () => {}

  constructor(data: BookData = emptyBook()) {
    this.#counters = { ...data.counters }
    data.parties.forEach((party) => this.addParty(party))
    data.counterparties.forEach((counterparty) => this.addCounterparty(counterparty))
    data.documents.forEach((document) => this.addDocument(document))
    data.sessions.forEach((session) => this.addSession(session))
    data.accounts.forEach((account) => this.addAccount(account))
    data.executions.forEach((execution) => this.addExecution(execution))
  }

  /** Called after every change; one listener, the file. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  /** A number that this counter never gave before. */
  next(counter: keyof Counters): number {
    this.#counters[counter] += 1
    return this.#changed(this.#counters[counter])
  }

  addParty(party: Party): Party {
    this.parties.set(party.id, party)
    this.#partyByPhone.set(phoneKey(party.ownerId, party.phone), party)
    return this.#changed(party)
  }

  addCounterparty(counterparty: Counterparty): Counterparty {
    this.counterparties.set(counterparty.id, counterparty)
    listUnder(this.#counterpartiesByParty, counterparty.partyId).push(counterparty)
    return this.#changed(counterparty)
  }

  addDocument(document: Document): Document {
    this.documents.set(document.id, document)
    if (document.checkout) this.#documentByToken.set(document.checkout.token, document)
    return this.#changed(document)
  }

  addSession(session: Session): Session {
    this.sessions.set(session.id, session)
    return this.#changed(session)
  }

  addAccount(account: PaymentAccount): PaymentAccount {
    this.accounts.set(account.id, account)
    return this.#changed(account)
  }

  addExecution(execution: Execution): Execution {
    this.executions.set(execution.reference, execution)
    listUnder(this.#executionsBySource, execution.sourceId).push(execution)
    return this.#changed(execution)
  }

  /** Changes fields of a record in place. */
  update<T extends object>(record: T, change: Partial<T>): T {
    return this.#changed(Object.assign(record, change))
  }

  partyByPhone(ownerId: number, phone: string): Party | undefined {
    return this.#partyByPhone.get(phoneKey(ownerId, phone))
  }

  counterpartiesOf(partyId: number): readonly Counterparty[] {
    return this.#counterpartiesByParty.get(partyId) ?? []
  }

  documentByToken(token: string): Document | undefined {
    return this.#documentByToken.get(token)
  }

  /** Every execution against a source, oldest first. */
  executionsOf(sourceId: number): readonly Execution[] {
    return this.#executionsBySource.get(sourceId) ?? []
  }

  toJSON(): BookData {
    return {
      version: 1,
      counters: { ...this.#counters },
      parties: [...this.parties.values()],
      counterparties: [...this.counterparties.values()],
      documents: [...this.documents.values()],
      sessions: [...this.sessions.values()],
      accounts: [...this.accounts.values()],
      executions: [...this.executions.values()],
    }
  }

  #changed<T>(record: T): T {
    this.#onChange()
    return record
  }
}

const phoneKey = (ownerId: number, phone: string) => `${ownerId}:${phone}`

function listUnder<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
