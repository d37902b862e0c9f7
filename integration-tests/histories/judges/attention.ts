/** What waits for an admin. */
import { differ, idsOf, type Look } from "./look"

/** What waits for an admin is the same on Home and in the list, and holds what is under review. */
export async function attentionIsOne({ shown }: Look): Promise<string[]> {
  const { waiting } = await shown.home()
  const listed = await shown.list({ needs_attention: "true" })
  const open = (await shown.all()).operations.filter(
    ({ state, type }) => state === "review" && type === "COLLECTION",
  )
  const ids = idsOf(listed.operations)
  return [
    ...differ("the number that waits on Home", waiting.count, listed.count),
    ...open
      .filter(({ id }) => !ids.includes(id))
      .map(({ id }) => `${id} is under review, and needs nobody`),
  ]
}

/** Whoever is asked to decide is asked about a payment under review. */
export async function decisionsAreOfReviews({ shown }: Look): Promise<string[]> {
  return (await shown.details())
    .filter(
      ({ decision, type, state }) => decision && (type !== "COLLECTION" || state !== "review"),
    )
    .map(({ id }) => `${id} has a decision to make, and is not under review`)
}
