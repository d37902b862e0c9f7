/** How phone and card numbers are masked: the client does it with each text that it reads. */
export * from "merchant-payments-gateway/terms/masked-numbers"
