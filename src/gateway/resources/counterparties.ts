import type { Call, CallOptions } from "../call"
import type { Outcome } from "../outcome"
import {
  createCounterparty,
  listCounterparties,
  retrieveCounterparty,
  updateCounterparty,
} from "../wire/counterparties"
import type {
  Counterparty,
  CounterpartyDetail,
  CreateCounterpartyRequest,
  ListCounterpartiesRequest,
  UpdateCounterpartyRequest,
} from "../wire/counterparties"

/** What a party is to the merchant. A document made by hand is made for one (contract, 2b). */
export type Counterparties = {
  /**
   * Links a party to the merchant. No idempotency key: a repeat makes a second link. `refused` with
   * `Invalid` naming the field, as `partyId` of another merchant's party (contract, 2b and 7).
   */
  create(request: CreateCounterpartyRequest, options?: CallOptions): Promise<Outcome<Counterparty>>
  /**
   * All links at once, or those with a name or a relationship; there are no pages (contract, 17).
   */
  list(
    filter?: ListCounterpartiesRequest,
    options?: CallOptions,
  ): Promise<Outcome<readonly Counterparty[]>>
  /**
   * One link with its party. `NotFound`: none with this id, or another merchant's (contract, 6).
   */
  retrieve(id: number, options?: CallOptions): Promise<Outcome<CounterpartyDetail>>
  /** Changes the given fields. The same changes may be sent again after `unknown` (contract, 6). */
  update(
    id: number,
    changes: UpdateCounterpartyRequest,
    options?: CallOptions,
  ): Promise<Outcome<Counterparty>>
}

export const counterpartiesOf = (call: Call): Counterparties => ({
  create: (request, options) => call(createCounterparty, request, options),
  list: (filter = {}, options) => call(listCounterparties, filter, options),
  retrieve: (id, options) => call(retrieveCounterparty, { id }, options),
  update: (id, changes, options) => call(updateCounterparty, { ...changes, id }, options),
})
