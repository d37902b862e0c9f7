/**
 * One cart and everybody around it: shoppers in two tabs, two workers, the wallet, the payment
 * page, the merchant's portal and admins, and the shop's own code. The flows, the ledger and the gateway's book are real; the
 * Medusa is the one in memory, over the ledger's real answers.
 */
import type { Simulator, Temper } from "../../../packages/simulator/src"
import { LIMITS } from "../../../src/core/limits"
import type { FlowDeps } from "../../../src/engine/deps"
import { sweepRefunds } from "../../../src/reconciliation/sweep"
import { fetchReceipts } from "../../../src/worker/receipts"
import { METHODS } from "../commands"
import { openSimulator } from "../gateway"
import type { History } from "../judge"
import { CLIENT_ID, CLIENT_SECRET, PASSCODE, PHONE_FORMS } from "../secrets"
import { Onlooker } from "../onlooker"
import { medusaInMemory } from "../../support/medusa-in-memory"
import { accountReads, Clients, ClientSecret } from "./account-reads"
import { adminsIn, answerOffer } from "./admins"
import type { DrivenClock } from "./clock"
import type { Command, CommandName, Deeds } from "./commands"
import { ADMINS, type Worker } from "./kinds"
import { Medusa } from "./medusa"
import { merchantIn } from "./merchant"
import { MerchantRules } from "./merchant-rules"
import { openAccount } from "./open-account"
import type { Picker } from "./picks"
import { depsOf, seededIds, seededRandom, type Fixture } from "./process-deps"
import type { DrivenLedger } from "./ledger"
import { News, tellEverything } from "./news"
import { ordersIn } from "./orders"
import { MeantPayouts, payoutsIn } from "./payouts"
import { portalIn } from "./portal"
import { machinesOf, Processes } from "./processes"
import type { Setting } from "./settings"
import { releasesOf, TODAY, type Release } from "./release"
import { RefusedClient } from "./refused-client"
import { Restores } from "./restores"
import { shopCodeIn } from "./shop-code"
import { shopperEnds, shoppersIn } from "./shoppers"
import { surroundingsIn } from "./surroundings"
import { Process, TurnTaking } from "./turn-taking"
import type { World } from "./world"

const CHECKS_MAX = 200
/**
 * After so many checks in time the workers come late, as after an outage: it is another way to be
 * right.
 */
const CHECKS_IN_TIME = 8
const LATE_MS = 10 * 60_000
/** A payment link may stay open for days. */
const CHECKS_BEFORE_OUTAGE = 40
const OUTAGE_MS = 6 * 3_600_000

type Given = {
  readonly ledger: DrivenLedger
  readonly clock: DrivenClock
  readonly wire: Temper
}

export class Harness {
  private readonly deeds: Deeds
  private readonly restores: Restores
  private readonly refusals: RefusedClient

  private constructor(
    private readonly world: World,
    private readonly turnTaking: TurnTaking,
    private readonly clients: readonly Clients[],
  ) {
    this.restores = new Restores(world, () => turnTaking.finish())
    this.refusals = new RefusedClient(world)
    this.deeds = {
      ...shoppersIn(world),
      ...adminsIn(world),
      ...portalIn(world),
      ...payoutsIn(world),
      ...ordersIn(world),
      ...merchantIn(world),
      ...shopCodeIn(world),
      ...surroundingsIn(world),
      ...this.restores.deeds,
    }
  }

  static async open(
    { ledger, clock, wire }: Given,
    setting: Setting,
    scheduler: Picker,
  ): Promise<Harness> {
    const { seed } = setting
    clock.reset()
    await ledger.clear(null)
    await openAccount(ledger, setting.rules)
    await tellEverything(ledger.database)
    const simulator = await openSimulator(seed, clock.nowMs, {
      wire,
      ...(setting.capsRefunds && { partialRefunds: "CAPPED" as const }),
      passcode: PASSCODE,
      newSourceStatus: setting.rules.feeBearer === null ? "ACTIVE" : "IDLE",
    })
    simulator.plan({ outcome: "handset" })
    if (setting.firstExecution)
      simulator.faults.script("executeCollection", [setting.firstExecution])
    const clients: Clients[] = []
    const clientsOf = (release: Release, aheadMs: () => number) => {
      const made = new Clients((clientSecret) =>
        release.createGateway({
          baseUrl: simulator.url,
          clientId: CLIENT_ID,
          clientSecret,
          clock: clock.ofClient(aheadMs),
          random: seededRandom(seed),
        }),
      )
      clients.push(made)
      return made
    }
    const secret = new ClientSecret(CLIENT_SECRET, simulator.backOffice.rotateKey)
    const ofPortal = clientsOf(TODAY, () => 0)
    const portal = () => ofPortal.of(secret.now)
    const machines = machinesOf(setting, releasesOf(setting), clientsOf)
    const turnTaking = new TurnTaking(scheduler)
    const surprises: string[] = []
    const portalRefunds = new Set<string>()
    const payouts = new MeantPayouts()
    const rules = new MerchantRules(setting.rules, payouts.alone)
    const logged: string[] = []
    const ids = seededIds(seed)
    const medusa = new Medusa(clock, ids)
    const fixture: Fixture = {
      clock,
      database: ledger.database,
      machines,
      ids,
      random: seededRandom(seed),
      log: (line) => void logged.push(line),
      medusaOf: (process, ...given) => medusa.medusaOf(process, ...given),
    }
    const processes = new Processes(turnTaking, machines, surprises, (process) =>
      depsOf(fixture, process),
    )
    if (setting.firstDies !== null) processes.doom("shop", setting.firstDies)
    medusa.postSession(METHODS[setting.way].providerId)
    const news = new News(seededRandom(seed + 2), clock)
    const offDuty = offDutyIn(fixture, { medusa, turnTaking, portal })
    const onlooker = new Onlooker(simulator, seededRandom(seed + 1), offDuty, {
      carts: medusa.carts,
      news,
      portalRefunds,
      listens: true,
    })
    const people = { setting, wire, medusa, processes, onlooker, news, offDuty }
    const merchant = { portal, secret, portalRefunds, payouts, rules }
    return new Harness(
      { ...people, ...merchant, ledger, clock, simulator, surprises, logged },
      turnTaking,
      clients,
    )
  }

  get simulator(): Simulator {
    return this.world.simulator
  }

  get onlooker(): Onlooker {
    return this.world.onlooker
  }

  /** Processes that died. */
  get kills(): number {
    return this.world.processes.kills
  }

  /** Processes that ran the last release. */
  get ofLastRelease(): number {
    return this.world.processes.ofLastRelease
  }

  get picks(): readonly number[] {
    return this.turnTaking.picks
  }

  /** A backup was played back: what came since may be known to the gateway alone. */
  get hasLost(): boolean {
    return this.restores.hasLost
  }

  /** Payouts that nobody has meant, or that went more than once. */
  get wrongPayouts(): string[] {
    return this.world.payouts.wrongIn(this.simulator.book)
  }

  /** What one admin alone has made of the account, and what became of payments without its secret. */
  async wrongWithAccount(): Promise<string[]> {
    const { rules, ledger } = this.world
    return [...(await rules.watch(ledger)), ...(await this.refusals.watch())]
  }

  /** The lost time was not compared yet. */
  isBehind(): Promise<boolean> {
    return this.restores.isBehind()
  }

  /** As the judge sees it. */
  get history(): History {
    const { ledger, simulator, medusa, portalRefunds, logged, surprises, secret } = this.world
    return {
      query: (sql) => ledger.sql(sql),
      simulator,
      carts: medusa.carts,
      portalRefunds,
      output: { texts: logged, secrets: [...secret.every, PASSCODE], phones: PHONE_FORMS },
      surprises,
    }
  }

  async close(): Promise<void> {
    this.onlooker.close()
    for (const client of this.clients) await client.close()
    await this.simulator.close()
  }

  /** Does what the command says, and lets everybody go on for its turns. */
  async carryOut(command: Command): Promise<void> {
    await this.begin(command)
    await this.turnTaking.play(command.turns)
  }

  /** Whoever is at work comes to an end; nobody begins. */
  finish(): Promise<void> {
    return this.turnTaking.finish()
  }

  /** Both workers look, at once, until nothing is left to be found, the last watch included. */
  async quiet(): Promise<void> {
    this.world.processes.spare()
    await this.untilNothingIsDue()
    if (!this.hasLost) return
    await this.restores.compareAtNight()
    await this.untilNothingIsDue()
  }

  private async untilNothingIsDue(): Promise<void> {
    const { ledger, clock, surprises } = this.world
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      // Finding a draft that the gateway already knows also reveals a loss.
      await this.restores.overcome()
      const dueAtMs = await ledger.dueAtMs()
      if (dueAtMs === undefined) return
      clock.pass(dueAtMs - clock.nowMs())
      if (checks >= CHECKS_IN_TIME) clock.pass(checks < CHECKS_BEFORE_OUTAGE ? LATE_MS : OUTAGE_MS)
      await this.bothCheck()
    }
    surprises.push(`I7: not quiet after ${CHECKS_MAX} looks`)
  }

  /** An admin answers each question that the payments' pages ask. */
  async decide(): Promise<void> {
    if (!this.world.setting.decides) return
    for (const offer of await this.onlooker.decisions()) {
      answerOffer(this.world, offer)
      await this.turnTaking.finish()
      await this.quiet()
    }
  }

  /** What was paid goes back, while the workers look; then all is quiet again. */
  async giveBack(): Promise<void> {
    const { setting, medusa, processes } = this.world
    const { givesBack } = setting
    if (!givesBack || medusa.cart.payments.length === 0) return
    const { part, admins, outcome, firstDies } = givesBack
    await this.begin({ do: "type intents" })
    await this.finish()
    await this.begin({ do: "refund ends", outcome })
    if (firstDies !== null) processes.doom("shop", firstDies)
    await this.begin({ do: "refund", part, admins })
    await this.bothCheck()
    await this.begin({ do: "approve", admins })
    await this.bothCheck()
    await this.quiet()
  }

  /**
   * What comes later than the checks: Medusa's records of refunds that never were are taken out,
   * receipts are fetched, and everybody is told what there is to tell.
   */
  async upkeep(): Promise<void> {
    const { news, offDuty, ledger, surprises } = this.world
    this.pass(LIMITS.refundRowAbandonedMs)
    await sweepRefunds(offDuty(), () => Promise.resolve())
    await fetchReceipts(offDuty())
    if (await news.tellAll(offDuty(), ledger)) return
    surprises.push("a message waits to be told for ever")
  }

  pass(ms: number): void {
    this.world.clock.pass(ms)
  }

  /** No shop stays without the secret that its gateway takes. */
  async typeSecretIn(): Promise<void> {
    const { processes, surprises } = this.world
    processes.spare()
    if (!(await this.refusals.isRefused())) return
    await this.begin({ do: "credentials", does: "type", by: ADMINS[0], isAgreed: true })
    await this.finish()
    if (await this.refusals.isRefused()) surprises.push("the client's secret can't be typed in")
  }

  /** The last that the shopper does. */
  async shopperEnds(): Promise<void> {
    this.world.processes.spare()
    await shopperEnds(this.world, (command) => this.carryOut(command))
  }

  private async bothCheck(): Promise<void> {
    const both: readonly Worker[] = ["A", "B"]
    for (const worker of both) await this.begin({ do: "check", worker })
    await this.turnTaking.finish()
  }

  private async begin<Name extends CommandName>(
    command: { readonly do: Name } & Parameters<Deeds[Name]>[0],
  ): Promise<void> {
    await this.deeds[command.do](command)
  }
}

/** What a flow is given that waits for nobody's turn. Nobody is at work meanwhile. */
function offDutyIn(
  fixture: Fixture,
  given: Pick<World, "medusa" | "portal"> & { readonly turnTaking: TurnTaking },
): () => FlowDeps {
  const { medusa, portal, turnTaking } = given
  const { database } = fixture
  // A page's span ends when it is looked at, by a clock that is right: after what was done last.
  const clock = fixture.clock.ofClient(() => 1)
  const own = {
    ...accountReads(database, clock, portal),
    database,
    clock,
    medusa: medusaInMemory(medusa.carts, database),
  }
  return () => ({ ...depsOf(fixture, new Process("onlooker", "shop", turnTaking)), ...own })
}
