/** What a shopper and an admin were told of a payment, and its money by the gateway's book. */
import { cameFor, centsOf, moneyOfEach, sumOf } from "../truth"
import { differ, type Look } from "./look"
import { namedOf } from "./receipts"

/** A page that said paid says so for ever, and none says so of money that never came. */
export async function paidStays({ shown, told, truth }: Look): Promise<string[]> {
  const statuses = await shown.statuses()
  const paid = [...statuses].filter(([, { status }]) => status.state === "paid")
  const now = paid.map(([id]) => id)
  const back = [...told.paid].filter((id) => statuses.has(id) && !now.includes(id))
  for (const id of now) told.paid.add(id)
  const unpaid = paid.filter(([, { payment }]) => !payment || cameFor(truth, payment).length === 0)
  return [
    ...back.map((id) => `${id} was paid, and now reads ${statuses.get(id)?.status.state}`),
    ...unpaid.map(([id]) => `${id} reads paid, and no money came for it`),
  ]
}

/** What an admin was told as done stands on the payment's page. */
export async function doneIsShown({ shown, told }: Look): Promise<string[]> {
  if (told.refunds.size === 0) return []
  const listed = (await shown.details()).flatMap(({ refunds }) =>
    refunds.map(({ refund_id: id }) => id),
  )
  return [...told.refunds]
    .filter((id) => !listed.includes(id))
    .map((id) => `the refund ${id} was made, and stands on no payment`)
}

/** When all is quiet, what is shown as received and gone is what the gateway took and gave back. */
export async function shownIsTrue({ shown, truth }: Look): Promise<string[]> {
  const { totals: all } = await shown.all()
  const currencies = [...new Set(truth.map(({ currency }) => currency))]
  return currencies.flatMap((currency) => {
    const totals = all?.find((one) => one.currency === currency)
    return [
      ...differ(
        `received in ${currency}`,
        centsOf(totals?.payments.amount ?? 0),
        sumOf(truth, "received", currency),
      ),
      ...differ(
        `refunded in ${currency}`,
        centsOf(totals?.refunds.amount ?? 0),
        sumOf(truth, "refunded", currency),
      ),
      ...differ(
        `paid out in ${currency}`,
        centsOf(totals?.sent.amount ?? 0),
        sumOf(truth, "paid out", currency),
      ),
    ]
  })
}

/** What a payment's page says came and arrived is what the book has of that payment. */
export async function eachHasItsMoney({ shown, truth }: Look): Promise<string[]> {
  const payments = (await shown.details()).filter(({ type }) => type === "COLLECTION")
  const money = moneyOfEach(truth, payments.map(namedOf))
  return payments.flatMap(({ id, collected_amount: collected, figures }, index) => {
    const came = money[index] ?? []
    const [one, ...others] = came
    const sum = came.reduce((all, { cents }) => all + cents, 0)
    const isToldArrived = figures.payee_amount !== null && one !== undefined && others.length === 0
    const told = { cents: centsOf(figures.payee_amount ?? 0), currency: figures.payee_currency }
    return [
      ...differ(`what came of ${id}`, centsOf(collected ?? 0), sum),
      ...(isToldArrived ? differ(`what arrived of ${id}`, told, one.arrived) : []),
    ]
  })
}
