/**
 * One cart and everybody around it: shoppers in two tabs, two workers, the wallet, the payment
 * page, the merchant's portal and admin. The flows, the ledger and the gateway's book are real; the
 * Medusa is the one in memory, over the ledger's real answers.
 */
import type { Simulator, Temper } from "../../../packages/simulator/src"
import { LIMITS } from "../../../src/core/limits"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import { sweepRefunds } from "../../../src/reconciliation/sweep"
import { fetchReceipts } from "../../../src/worker/receipts"
import { METHODS } from "../commands"
import { openSimulator } from "../gateway"
import type { History } from "../judge"
import { CLIENT_ID, CLIENT_SECRET, PASSCODE, PHONE_FORMS } from "../secrets"
import { Onlooker } from "../onlooker"
import { medusaInMemory } from "../../support/medusa-in-memory"
import { adminsIn, answerOffer } from "./admins"
import type { DrivenClock } from "./clock"
import type { Command, CommandName, Deeds } from "./commands"
import type { Worker } from "./kinds"
import { Medusa } from "./medusa"
import type { Picker } from "./picks"
import { depsOf, seededIds, seededRandom, type Fixture } from "./process-deps"
import type { DrivenLedger } from "./ledger"
import { News, tellEverything } from "./news"
import { ordersIn } from "./orders"
import { MeantPayouts, payoutsIn } from "./payouts"
import { portalIn } from "./portal"
import { machinesOf, Processes } from "./processes"
import type { Setting } from "./settings"
import { accountsByRelease, TODAY, type Release } from "./release"
import { Restores } from "./restores"
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

const RULE = `
  update mp_account
     set fee_bearer = $1, order_placement = $2,
         policies = policies || '{"money_out": true}' || $3::jsonb`

type Given = {
  readonly ledger: DrivenLedger
  readonly clock: DrivenClock
  readonly wire: Temper
}

export class Harness {
  private readonly deeds: Deeds
  private readonly restores: Restores

  private constructor(
    private readonly world: World,
    private readonly turnTaking: TurnTaking,
    private readonly clients: readonly Gateway[],
  ) {
    this.restores = new Restores(world, () => turnTaking.finish())
    this.deeds = {
      ...shoppersIn(world),
      ...adminsIn(world),
      ...portalIn(world),
      ...payoutsIn(world),
      ...ordersIn(world),
      ...surroundingsIn(world),
      ...this.restores.deeds,
    }
  }

  static async open(
    { ledger, clock, wire }: Given,
    setting: Setting,
    scheduler: Picker,
  ): Promise<Harness> {
    const { rules, seed } = setting
    clock.reset()
    await ledger.clear(null)
    await ledger.sql(RULE, [rules.feeBearer, rules.orderPlacement, JSON.stringify(rules.policies)])
    await tellEverything(ledger.database)
    const simulator = await openSimulator(seed, clock.nowMs, {
      wire,
      ...(setting.capsRefunds && { partialRefunds: "CAPPED" as const }),
      passcode: PASSCODE,
      newSourceStatus: rules.feeBearer === null ? "ACTIVE" : "IDLE",
    })
    simulator.plan({ outcome: "handset" })
    if (setting.firstExecution)
      simulator.faults.script("executeCollection", [setting.firstExecution])
    const accounts = await accountsByRelease(ledger, setting)
    const credential = await adoptCredential(ledger.database, {
      accountId: accounts.get(TODAY)?.[0]?.id ?? "",
      // Each simulator is the same gateway, whatever its port.
      baseUrl: "https://gateway.example",
      clientId: CLIENT_ID,
    })
    const clients: Gateway[] = []
    const clientOf = (release: Release, aheadMs: () => number) => {
      const made = release.createGateway({
        baseUrl: simulator.url,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock: clock.ofClient(aheadMs),
        random: seededRandom(seed),
      })
      clients.push(made)
      return made
    }
    const portal = clientOf(TODAY, () => 0)
    const machines = machinesOf(setting, accounts, clientOf)
    const turnTaking = new TurnTaking(scheduler)
    const surprises: string[] = []
    const portalRefunds = new Set<string>()
    const payouts = new MeantPayouts(setting.rules)
    const logged: string[] = []
    const ids = seededIds(seed)
    const medusa = new Medusa(clock, ids)
    const fixture: Fixture = {
      clock,
      database: ledger.database,
      machines,
      credential,
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
    return new Harness(
      { ...people, ledger, clock, simulator, portal, portalRefunds, payouts, surprises, logged },
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

  /** The lost time was not compared yet. */
  isBehind(): Promise<boolean> {
    return this.restores.isBehind()
  }

  /** As the judge sees it. */
  get history(): History {
    const { ledger, simulator, medusa, portalRefunds, logged, surprises } = this.world
    return {
      query: (sql) => ledger.sql(sql),
      simulator,
      carts: medusa.carts,
      portalRefunds,
      output: { texts: logged, secrets: [CLIENT_SECRET, PASSCODE], phones: PHONE_FORMS },
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
  const own = {
    database,
    // A page's span ends when it is looked at, by a clock that is right: after what was done last.
    clock: fixture.clock.ofClient(() => 1),
    medusa: medusaInMemory(medusa.carts, database),
    gatewayOf: () => portal,
  }
  return () => ({ ...depsOf(fixture, new Process("onlooker", "shop", turnTaking)), ...own })
}
