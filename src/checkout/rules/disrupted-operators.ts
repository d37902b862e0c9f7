/** What a shopper is offered of mobile money while an operator fails most of its payments. */

export type OfferedMethod = {
  readonly operators: readonly {
    readonly payment_method: string
    readonly status: "ok" | "disrupted"
  }[]
}

/**
 * Leaves out disrupted operators, and mobile money of which no operator is left.
 *
 * @param tried the disrupted ones that this shopper is offered all the same
 */
export function withoutDisrupted<Method extends OfferedMethod>(
  methods: readonly Method[],
  tried: ReadonlySet<string> = new Set(),
): Method[] {
  return methods.flatMap((method) => {
    const operators = method.operators.filter(
      ({ payment_method, status }) => status === "ok" || tried.has(payment_method),
    )
    const isGone = operators.length === 0 && method.operators.length > 0
    return isGone ? [] : [{ ...method, operators }]
  })
}

/** The payment methods that are disrupted, each once. */
export function disruptedOf(methods: readonly OfferedMethod[]): string[] {
  const all = methods.flatMap(({ operators }) => operators)
  const disrupted = all.filter(({ status }) => status === "disrupted")
  return [...new Set(disrupted.map(({ payment_method }) => payment_method))]
}
