/** The scale of a chart whose bars begin at zero. */

/** Eyes divide by them: two lines are one, two or five of a power of ten apart. */
const STEPS = [1, 2, 5, 10]
const MOST_PARTS = 5

/**
 * Where the lines of a scale stand: from zero, evenly apart, the last at or just above the highest
 * value.
 * @param highest zero or more; a scale without a value ends at 1
 * @returns at least two numbers and at most six
 */
export function scaleLines(highest: number): readonly number[] {
  const end = highest > 0 ? highest : 1
  const least = end / MOST_PARTS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * (STEPS.find((one) => one * power >= least) ?? 10)
  // Rounded, because 3 * 0.2 is a little more than 0.6, which would be a line of its own.
  const parts = Math.ceil(rounded(end / step))
  return Array.from({ length: parts + 1 }, (_, n) => rounded(n * step))
}

const rounded = (value: number) => Number(value.toPrecision(12))
