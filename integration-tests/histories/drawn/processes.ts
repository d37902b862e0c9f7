/** The processes of a sequence: those of the shop, one for each request, and the two workers. */
import type { FlowDeps } from "../../../src/engine/deps"
import type { Clients } from "./account-reads"
import type { Kind } from "./kinds"
import { TODAY, type Release } from "./release"
import type { Setting } from "./settings"
import { Process, type Told, type TurnTaking } from "./turn-taking"

/** A release, with its own clients of the gateway. */
type Version = { readonly release: Release; readonly clients: Clients }

/** Where the processes of one kind run: with a clock and clients of the gateway of their own. */
type Machine = {
  /** How far its clock is ahead of the database's. */
  aheadMs: number
  /** What processes run that begin from now on. */
  runs: Version
  readonly today: Version
}

export type Machines = Readonly<Record<Kind, Machine>>

export function machinesOf(
  setting: Pick<Setting, "aheadMs" | "lastRelease">,
  releases: readonly Release[],
  clientsOf: (release: Release, aheadMs: () => number) => Clients,
): Machines {
  const machine = (kind: Kind): Machine => {
    const ahead = (): number => made.aheadMs
    const versions = releases.map((release): Version => ({
      release,
      clients: clientsOf(release, ahead),
    }))
    const [today, old] = versions
    if (!today) throw new Error("no release")
    const runs = kind === setting.lastRelease ? (old ?? today) : today
    const made: Machine = { aheadMs: setting.aheadMs[kind], runs, today }
    return made
  }
  return { shop: machine("shop"), A: machine("A"), B: machine("B") }
}

export class Processes {
  /** How many have died. */
  kills = 0
  /** How many ran the last release. */
  ofLastRelease = 0
  private begun = 0
  private readonly atWork = new Set<Process>()
  private readonly latest = new Map<Kind, Process>()
  /** How many exits the next one of a kind passes before it dies. */
  private readonly doomed = new Map<Kind, number>()

  /** @param surprises gets each error that is no refusal */
  constructor(
    private readonly turnTaking: TurnTaking,
    readonly machines: Machines,
    private readonly surprises: string[],
    private readonly depsOf: (process: Process) => FlowDeps,
  ) {}

  begin(kind: Kind): Process {
    const name = kind === "shop" ? `shop ${(this.begun += 1)}` : kind
    const process = new Process(name, kind, this.turnTaking)
    const moments = this.doomed.get(kind)
    if (moments !== undefined) process.dieAfter(moments)
    this.doomed.delete(kind)
    return process
  }

  /** As {@link begin}; it is the one that {@link doom} means from now on. */
  serve(kind: Kind): Process {
    const process = this.begin(kind)
    this.latest.set(kind, process)
    return process
  }

  isAtWork(kind: Kind): boolean {
    return this.latest.get(kind)?.isRunning === true
  }

  launch(
    process: Process,
    flow: (deps: FlowDeps, release: Release) => Promise<unknown>,
    then: (told: Told) => void = () => {},
  ): void {
    this.atWork.add(process)
    const note = (told: Told) => {
      this.atWork.delete(process)
      then(told)
      if (told.kind === "died") this.kills += 1
      if (told.kind === "failed") {
        this.surprises.push(`${process.name}: an error that is no refusal: ${told.message}`)
      }
    }
    const { release } = this.machines[process.kind].runs
    if (release !== TODAY) this.ofLastRelease += 1
    this.turnTaking.launch(process, () => flow(this.depsOf(process), release), note)
  }

  /** The one of this kind that is at work dies after so many exits; or else the next one. */
  doom(kind: Kind, moments: number): void {
    const victim = this.latest.get(kind)
    if (victim?.isRunning) victim.dieAfter(moments)
    else this.doomed.set(kind, moments)
  }

  /** All that are at work die at once, as when the database that they talk to is taken away. */
  endAll(at: string): void {
    for (const process of this.atWork) process.die(at)
  }

  /** Every machine has this version; who is at work ends with the former one. */
  upgrade(): void {
    for (const machine of Object.values(this.machines)) machine.runs = machine.today
  }

  /** Nobody who begins from now on is to die. */
  spare(): void {
    this.doomed.clear()
  }
}
