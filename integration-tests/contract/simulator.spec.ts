/** Every operation of the client against the gateway simulator, which shares no code with it. */
import { startSimulator } from "../../packages/simulator/src"
import type { Simulator } from "../../packages/simulator/src"
import { createGateway, OPERATIONS } from "../../src/gateway"
import type { Gateway, NewForm, OperationName } from "../../src/gateway"
import { SCENES } from "../support/gateway-scenes"
import { contractOf } from "./support/match"

const isOperation = (name: string): name is keyof typeof SCENES => name in SCENES
const names = Object.keys(SCENES).filter(isOperation)
const carriedThrough = new Set<OperationName>()

let simulator: Simulator
let gateway: Gateway
let forms: NewForm[] = []

beforeEach(async () => {
  forms = []
  simulator = await startSimulator({ port: 0, seed: "1" })
  gateway = createGateway({
    baseUrl: simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    onCall: ({ operation, kind }) => void (kind === "done" && carriedThrough.add(operation)),
    onForm: (form) => void forms.push(form),
  })
})

afterEach(async () => {
  await gateway.close()
  await simulator.close()
})

it.each(names)("%s: is carried out and its answer read", async (name) => {
  const run = await SCENES[name]({ gateway, simulator })
  await gateway.token.check()
  simulator.resetCalls()
  expect(await run()).toMatchObject({ kind: "done" })
  expect(simulator.calls).toEqual({ [contractOf(name).id]: 1 })
  expect(simulator.contractViolations).toEqual([])
  expect(forms).toEqual([])
})

it("every operation of the client has been carried through", () => {
  expect(["token.obtain", ...carriedThrough].sort()).toEqual(Object.keys(OPERATIONS).sort())
})
