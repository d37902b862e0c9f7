/**
 * The store's word that the time to pay is over, without the wait: its answers pass through, and say
 * that none is left. A page's own clock can't make it say so.
 *
 * @returns what ends that. The routes stay and let everything through: one that is taken away under
 * an answer on its way makes Playwright go on with it, and the handler fails.
 */
import type { Page, Route } from "playwright-core"

const STATUS = /\/sessions\/[^/?]+$/
const EVENTS = /\/sessions\/[^/?]+\/events$/

export async function sayOver(page: Page): Promise<() => void> {
  let isOver = true
  const answered = async (asked: Route) => {
    const response = await asked.fetch()
    const { payment } = (await response.json()) as { payment: object }
    const said = isOver ? { ...payment, expires_in_seconds: 0 } : payment
    await asked.fulfill({ response, json: { payment: said } })
  }
  await page.route(EVENTS, (asked) => (isOver ? asked.abort() : asked.continue()))
  await page.route(STATUS, async (asked) => {
    try {
      await (isOver ? answered(asked) : asked.continue())
    } catch (failure) {
      if (!page.isClosed()) throw failure
    }
  })
  await page.evaluate(() => window.dispatchEvent(new Event("focus")))
  await page.getByTestId("mp-over").waitFor()
  return () => void (isOver = false)
}
