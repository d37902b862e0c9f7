/** Kinds of the gateway's texts, by how they were cleaned. The client makes them as it reads. */
export type * from "../../../packages/gateway/src/terms/texts"
