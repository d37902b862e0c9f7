/**
 * One operation of the API: the contract's name for it and what it does. Adding an operation is
 * adding one of these to the list in `operations.ts`; path, checks, faults and counting come by
 * themselves.
 */
import type { Input } from "../contract/contract"
import type { World } from "../world"

export type Call<Body, Query, Params> = {
  world: World
  /** The merchant of the bearer token; 0 for the operation that needs none. */
  ownerId: number
  body: Body
  query: Query
  params: Params
}

export type Operation = {
  id: string
  run(world: World, ownerId: number, input: Input): unknown
}

/** A successful answer whose body is to be cut in the middle. */
export class CutAnswer {
  constructor(readonly body: unknown) {}
}

type NoFields = Record<never, never>
export type ById = { id: string }

/** The number that an id in a path is the text form of; NaN, which no record has, for any other. */
export const idOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/**
 * Ties a function to an operation of the contract. `Body`, `Query` and `Params` are what the
 * contract says about them; the input was checked against it before `answer` runs. What `answer`
 * returns is the JSON body; errors are thrown `Problem`s.
 */
export function operation<Body = undefined, Query = NoFields, Params = NoFields>(
  id: string,
  answer: (call: Call<Body, Query, Params>) => unknown,
): Operation {
  return {
    id,
    run: (world, ownerId, { body, query, params }) =>
      answer({
        world,
        ownerId,
        body: body as Body,
        query: query as Query,
        params: params as Params,
      }),
  }
}
