/** What is found by the words that a row shows, or that a customer says on the phone. */
import { drawn, idsOf, some, type Look, type Row } from "./look"

/** The number as it is written abroad, at home, and by its end. */
const numbersOf = (phone: string) => [phone, `0${phone.slice("+231".length)}`, phone.slice(-6)]

/** A row is found by each word that it shows, and what is found is in the list. */
export async function wordsFindTheirRows(look: Look): Promise<string[]> {
  const { shown, dice, most, isQuiet, phoneOf } = look
  const rows = (await shown.all()).operations
  const ids = new Set(idsOf(rows))
  const found: string[] = []
  for (const row of isQuiet ? some(rows, dice, most) : drawn(rows, dice)) {
    for (const q of drawn(wordsOf(row, phoneOf(row)), dice)) {
      const listed = idsOf((await shown.list({ q })).operations)
      if (!listed.includes(row.id)) found.push(`"${q}" does not find ${row.id}`)
      const strangers = listed.filter((id) => !ids.has(id))
      found.push(...strangers.map((id) => `"${q}" finds ${id}, which the list does not have`))
    }
  }
  return found
}

function wordsOf(row: Row, phone: string): string[] {
  const { reference, amount, currency, cart_id, order_id, phone_hint: hint, id } = row
  const money = amount.toFixed(2)
  const said = hint === null ? [] : [...numbersOf(phone), hint]
  const words = [reference, cart_id, order_id, row.source_number, row.provider_transaction_id]
  return [
    ...words.filter((word) => word !== null),
    ...[money, `${currency} ${money}`, money.replace(".", ","), `${Math.trunc(amount)}`],
    ...said,
    id,
  ]
}
