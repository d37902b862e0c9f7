/** How phone and card numbers are masked: the client does it with each text that it reads. */
export * from "../../../packages/gateway/src/terms/masked-numbers"
