import type {
  CleanText,
  DecimalText,
  ExactText,
  Moment,
  PrivateText,
  StateWord,
  WebAddress,
} from "../../src/core/said/texts"

type Said = CleanText & ExactText & StateWord & WebAddress & DecimalText & PrivateText & Moment

/** A text of the gateway as if each reader of the wire had cleaned it. */
export const said = (text: string): Said => text as Said
