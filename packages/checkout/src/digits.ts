/**
 * The digits of a number as it was typed or pasted, in whatever script, as ASCII: to compare its end
 * with the store's hint. Which numbers are right only the store says.
 */
export function digitsOf(text: string): string {
  const digits = Array.from(text).filter((character) => DIGIT.test(character))
  return digits.map((digit) => valueOf(digit.codePointAt(0) ?? 0)).join("")
}

const DIGIT = /\p{Nd}/u

/** Unicode encodes the digits of a script in a row from 0 to 9, and keeps to it. */
function valueOf(codePoint: number): number {
  let first = codePoint
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return (codePoint - first) % 10
}
