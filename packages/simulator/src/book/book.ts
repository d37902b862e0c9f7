/**
 * Every record of the gateway, by id. The book knows no rules: it finds, adds and reports changes.
 * Records are changed through `update`, so that every change is saved.
 */
import type { FeeAssignment } from "./fee-records"
import { MoneyBook } from "./money-book"
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
  readonly money: MoneyBook
  /** By owner. */
  readonly feeAssignments = new Map<number, FeeAssignment>()
  readonly #counters: Counters
  readonly #executionsBySource = new Map<number, Execution[]>()
  readonly #documentByToken = new Map<string, Document>()
  readonly #documentByNumber = new Map<string, Document>()
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
    data.feeAssignments?.forEach((assignment) =>
      this.feeAssignments.set(assignment.ownerId, assignment),
    )
    this.money = new MoneyBook(data.money, () => this.#onChange())
  }

  /** Calls the listener after every change. There is one listener, the file. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  /** A number that this counter has not given before. */
  next(counter: keyof Counters): number {
    this.#counters[counter] += 1
    return this.#changed(this.#counters[counter])
  }

  addParty(party: Party): Party {
    this.parties.set(party.id, party)
    const key = phoneKey(party.ownerId, party.phone)
    if (!this.#partyByPhone.has(key)) this.#partyByPhone.set(key, party)
    return this.#changed(party)
  }

  addCounterparty(counterparty: Counterparty): Counterparty {
    this.counterparties.set(counterparty.id, counterparty)
    this.#listUnderParty(counterparty)
    return this.#changed(counterparty)
  }

  /** Links a counterparty to another party. */
  linkCounterparty(counterparty: Counterparty, partyId: number): Counterparty {
    const { partyId: former } = counterparty
    if (former === partyId) return counterparty
    if (former !== null) {
      const left = this.counterpartiesOf(former).filter((other) => other !== counterparty)
      this.#counterpartiesByParty.set(former, left)
    }
    counterparty.partyId = partyId
    this.#listUnderParty(counterparty)
    return this.#changed(counterparty)
  }

  addDocument(document: Document): Document {
    this.documents.set(document.id, document)
    this.#documentByToken.set(document.token, document)
    this.#documentByNumber.set(document.number, document)
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

  /** Null removes the owner's assignment. */
  setFeeAssignment(ownerId: number, assignment: FeeAssignment | null): void {
    if (assignment) this.feeAssignments.set(ownerId, assignment)
    else this.feeAssignments.delete(ownerId)
    this.#changed(assignment)
  }

  /** Changes fields of a record in place. */
  update<T extends object>(record: T, change: Partial<T>): T {
    return this.#changed(Object.assign(record, change))
  }

  /** The oldest party of a merchant with this phone number. */
  partyByPhone(ownerId: number, phone: string): Party | undefined {
    return this.#partyByPhone.get(phoneKey(ownerId, phone))
  }

  counterpartiesOf(partyId: number): readonly Counterparty[] {
    return this.#counterpartiesByParty.get(partyId) ?? []
  }

  documentByToken(token: string): Document | undefined {
    return this.#documentByToken.get(token)
  }

  /** Numbers begin with the kind of document, so one map serves both kinds. */
  documentByNumber(number: string): Document | undefined {
    return this.#documentByNumber.get(number)
  }

  /** Every execution against a source, oldest first. */
  executionsOf(sourceId: number): readonly Execution[] {
    return this.#executionsBySource.get(sourceId) ?? []
  }

  toJSON(): BookData {
    return {
      version: 2,
      counters: { ...this.#counters },
      parties: [...this.parties.values()],
      counterparties: [...this.counterparties.values()],
      documents: [...this.documents.values()],
      sessions: [...this.sessions.values()],
      accounts: [...this.accounts.values()],
      executions: [...this.executions.values()],
      feeAssignments: [...this.feeAssignments.values()],
      money: this.money.toJSON(),
    }
  }

  #listUnderParty(counterparty: Counterparty): void {
    if (counterparty.partyId === null) return
    listUnder(this.#counterpartiesByParty, counterparty.partyId).push(counterparty)
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
