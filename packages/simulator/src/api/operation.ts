/**
 * One operation of the API: its name in the contract and its function. To add an operation, add one
 * of these to the list in `operations.ts`; the contract gives path and checks, and faults and
 * counts apply to it like to all others.
 */
import type { Input } from "../contract/contract"
import type { World } from "../world"

export type Call<Body, Query, Params> = {
  world: World
  /** The merchant of the bearer token; 0 for the operation that needs no token. */
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
export class CutResponse {
  constructor(readonly body: unknown) {}
}

type NoFields = Record<never, never>
export type ById = { id: string }

/** The number that a path id stands for; NaN, which matches no record, if it is not digits. */
export const idOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/**
 * Ties a function to an operation of the contract. The input is checked against the contract before
 * `answer` runs. `answer` returns the JSON body; it throws a `Problem` for an error.
 *
 * @param Body, Query, Params as the contract describes them
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
