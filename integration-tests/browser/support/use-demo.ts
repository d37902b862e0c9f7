/**
 * A demo and a browser for a suite of tests: opened before the first test, closed after the last.
 * Each admin page that a test opens is closed after it, and no script of a page may have failed.
 */
import type { Browser } from "playwright-core"
import { launchChromium } from "./chromium"
import { startDemo, type Demo, type DemoOptions, type DemoState } from "./demo"
import { openOffice, type Office, type OfficeOptions } from "./office"
import { camera, type Camera } from "./screenshots"
import { tillOf, type Till } from "./till"

export type DemoSuite = {
  readonly demo: Demo
  readonly state: DemoState
  readonly browser: Browser
  readonly till: Till
  readonly shoot: Camera
  /** Logged into the admin. */
  inOffice(options?: OfficeOptions): Promise<Office>
  restartWith(...changes: Parameters<Demo["restartWith"]>): Promise<void>
}

type Opened = { demo: Demo; readonly browser: Browser; readonly shoot: Camera }

/** Registers the suite's hooks; the demo is there inside tests and hooks only. */
export function useDemo(
  options: Pick<DemoOptions, "portBase"> & Partial<DemoOptions>,
  prepare: (suite: DemoSuite) => Promise<unknown> = () => Promise.resolve(),
): DemoSuite {
  let opened: Opened | undefined
  const offices: Office[] = []
  const now = (): Opened => {
    if (!opened) throw new Error("the demo is not open")
    return opened
  }
  const suite: DemoSuite = {
    get demo() {
      return now().demo
    },
    get state() {
      return now().demo.state
    },
    get browser() {
      return now().browser
    },
    get till() {
      return tillOf(now().demo.state)
    },
    get shoot() {
      return now().shoot
    },
    async inOffice(given) {
      const office = await openOffice(now().browser, now().demo.state, given)
      offices.push(office)
      return office
    },
    async restartWith(changes) {
      now().demo = await now().demo.restartWith(changes)
    },
  }

  beforeAll(async () => {
    const demo = await startDemo({ orderPlacement: "pay_first", ...options })
    opened = { demo, browser: await launchChromium(), shoot: await camera() }
    await prepare(suite)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await opened?.demo.stop()
  })

  afterEach(async () => {
    const used = offices.splice(0)
    const errors = used.flatMap((office) => office.errors())
    for (const { context } of used) await context.close()
    expect(errors).toEqual([])
  })

  return suite
}
