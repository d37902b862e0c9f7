/** Many things, so many of them at once. The answers are in the order of the things. */
export async function many<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = []
  const queue = [...things.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, thing] = next
      answers[index] = await work(thing)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker))
  return answers
}
