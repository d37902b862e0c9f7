/** Without its trunk 0, the shortest national numbers of the regions that are sold to. */
const DIGITS_MIN = 8
const DIGITS_MAX = 15

/** Whether it can be a whole phone number at all; whose it is says the store. */
export function isWholePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length
  return digits >= DIGITS_MIN && digits <= DIGITS_MAX && /^[+\d\s().-]+$/.test(text.trim())
}
