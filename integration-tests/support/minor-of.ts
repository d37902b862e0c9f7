/** Major units as smallest ones, rounded half up; the oracle's own arithmetic. */
export function minorOf(amount: string, currency: string): bigint {
  const digits = currency === "RWF" ? 0 : 2
  const [whole = "0", fraction = ""] = amount.split(".")
  const padded = `${fraction}${"0".repeat(digits + 1)}`
  const units = BigInt(`${whole}${padded.slice(0, digits)}`)
  return Number(padded[digits]) >= 5 ? units + 1n : units
}
