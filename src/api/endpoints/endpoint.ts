/** What one route of the plugin takes and answers: its parser, its types and its reference. */
import type { z } from "zod"
import type { RefusalKey } from "../../core/refusal"
import type { DECIDE, MANAGE, READ, SEND } from "../../policies/merchant-payments"

/** A segment of the address, and the refusal of an id that is unknown or has an impossible shape. */
export type Segment<Id extends string = string> = {
  readonly notFound: RefusalKey
  /** The words that it may be; undefined: an id. */
  readonly oneOf?: readonly Id[]
}

export const segment = <Id extends string = string>(notFound: RefusalKey): Segment<Id> => ({
  notFound,
})

/** A segment that is one of these words. */
export const word = <const Word extends string>(
  notFound: RefusalKey,
  ...oneOf: readonly Word[]
): Segment<Word> & { readonly oneOf: readonly Word[] } => ({ notFound, oneOf })

export type Endpoint = {
  /** What it does, for a reader of the reference. */
  readonly does: string
  readonly params?: Readonly<Record<string, Segment>>
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** What a 200 has in it; undefined: a file or a page. */
  readonly response?: z.ZodType
  /** The media type where it answers no JSON, or can be asked for another form. */
  readonly sends?: "text/csv" | "text/html" | "text/event-stream" | "redirect"
}

type AdminEndpoint = Endpoint & {
  /** In a store with Medusa's roles: who may use it. */
  readonly policy: typeof READ | typeof DECIDE | typeof SEND | typeof MANAGE
}

export type Method = "GET" | "POST" | "DELETE"
/** Endpoints by method and address below one root. */
export type Endpoints = Readonly<Record<`${Method} ${string}`, Endpoint>>
/** As {@link Endpoints}. With roles, every login could use a route without a policy. */
export type AdminEndpoints = Readonly<Record<`${Method} ${string}`, AdminEndpoint>>

type IdOf<S> = S extends Segment<infer Id> ? Id : never
type Params<E> = E extends { readonly params: infer P }
  ? { [Name in keyof P]: IdOf<P[Name]> }
  : object
type Parsed<E, Part extends "query" | "body"> = E extends { readonly [P in Part]: infer S }
  ? S extends z.ZodType
    ? { readonly [P in Part]: z.output<S> }
    : object
  : object

/** What a route's work gets: the ids of its address, and what its schemas have read. */
export type Asked<E> = E extends unknown
  ? Params<E> & Parsed<E, "query"> & Parsed<E, "body">
  : never
