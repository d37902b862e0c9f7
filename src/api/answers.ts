/** What the endpoints are to those who call them: types alone, for the server and for the pages. */
import type { z } from "zod"
import type { Input, Output } from "../core/schemas/shapes"
import type { ADMIN, STORE } from "./endpoints"

export type AdminRoutes = typeof ADMIN
export type StoreRoutes = typeof STORE

/** What a 200 of this endpoint has in it. */
export type Answer<E> = E extends { readonly response: infer S extends z.ZodType }
  ? Output<S>
  : never

type Segments<E> = E extends { readonly params: infer P }
  ? {
      readonly [Name in keyof P]: P[Name] extends { readonly oneOf: readonly (infer Word)[] }
        ? Word
        : string
    }
  : object
type Query<E, Value> = E extends { readonly query: infer S extends z.ZodType }
  ? { readonly query: { readonly [Name in keyof z.input<S>]?: Value } }
  : object
type Body<E> = E extends { readonly body: infer S extends z.ZodType }
  ? { readonly body: Input<S> }
  : object

/** What a caller sends; a value of the query becomes a text in the address. */
export type AskedOf<E, Value> = E extends unknown ? Segments<E> & Query<E, Value> & Body<E> : never
