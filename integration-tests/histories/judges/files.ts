/** The list as a file. */
import { centsOf } from "../truth"
import { drawnFilter } from "./list"
import { differ, idsOf, type Look } from "./look"

/** The file of a filtered list has its rows, in its order, and what they add up to. */
export async function fileIsTheList({ shown, dice }: Look): Promise<string[]> {
  const { query } = drawnFilter((await shown.all()).operations, dice)
  const { operations, totals } = await shown.list(query)
  const [head = [], ...lines] = await shown.file(query)
  const of = (name: string) => (line: readonly string[]) => line[head.indexOf(name)] ?? ""
  const name = JSON.stringify(query)
  const sum = (type: string, currency: string) =>
    lines
      .filter((line) => of("type")(line) === type && of("currency")(line) === currency)
      .reduce((all, line) => all + centsOf(of("gross")(line)), 0)
  return [
    ...differ(`the file of ${name}`, lines.map(of("operation_id")), idsOf(operations)),
    ...differ(
      `what moved in the file of ${name}`,
      lines.map(of("gross")).map((cell) => (cell === "" ? null : Math.abs(centsOf(cell)))),
      operations.map(({ figures: { gross } }) => (gross === null ? null : centsOf(gross))),
    ),
    ...(totals ?? []).flatMap(({ currency, payments, refunds }) => [
      ...differ(
        `payments in the file of ${name}`,
        sum("COLLECTION", currency),
        centsOf(payments.amount),
      ),
      ...differ(
        `refunds in the file of ${name}`,
        -sum("REFUND", currency),
        centsOf(refunds.amount),
      ),
    ]),
  ]
}
