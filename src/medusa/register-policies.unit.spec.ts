/** How Medusa's roles get to know the plugin's policies, in a Medusa with and without the folder. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { POLICIES } from "../policies/merchant-payments"
import { registerPolicies } from "./register-policies"

const KEYS = POLICIES.map(({ resource, operation }) => `${resource}:${operation}`)

/** A store whose roles know these policies; `isSynced`: Medusa writes what the folder defines. */
function store(known: readonly string[] | undefined, isSynced = false) {
  const created: { id: string; input: unknown }[] = []
  const roles = known && {
    listRbacPolicies: ({ key }: { key: readonly string[] }) =>
      Promise.resolve(known.filter((one) => key.includes(one)).map((one) => ({ key: one }))),
    ...(isSynced && { syncRegisteredPolicies: () => Promise.resolve() }),
  }
  const engine = {
    run: (id: string, { input }: { input: unknown }) => {
      created.push({ id, input })
      return Promise.resolve({ result: [] })
    },
  }
  const container = {
    resolve: (name: string) => (name === Modules.WORKFLOW_ENGINE ? engine : roles),
  } as unknown as MedusaContainer
  return { container, created }
}

it("a store without roles, and one that reads the folder, is left alone", async () => {
  for (const { container, created } of [store(undefined), store([], true)]) {
    await registerPolicies(container)
    expect(created).toEqual([])
  }
})

it.each([
  ["none of them", []],
  ["others", ["order:read"]],
  ["some of them", KEYS.slice(0, 2)],
])(
  "where roles don't read the folder and know %s, the missing ones are created",
  async (_, known) => {
    const { container, created } = store(known)
    await registerPolicies(container)
    const missing = POLICIES.map((one, at) => ({ key: KEYS[at], ...one })).filter(
      ({ key }) => !known.includes(String(key)),
    )
    expect(created).toEqual([{ id: "create-rbac-policies", input: { policies: missing } }])
  },
)

it("where roles know all of them, nothing is created", async () => {
  const { container, created } = store(KEYS)
  await registerPolicies(container)
  expect(created).toEqual([])
})

it("the plugin loads in a Medusa that has no folder of policies", () => {
  jest.isolateModules(() => {
    jest.doMock("@medusajs/framework/utils", () => ({}))
    type Loaded = { readonly merchantPaymentPolicies: unknown; readonly POLICIES: unknown }
    const { merchantPaymentPolicies, POLICIES: policies } = jest.requireActual<Loaded>(
      "../policies/merchant-payments",
    )
    expect(merchantPaymentPolicies).toBeUndefined()
    expect(policies).toHaveLength(POLICIES.length)
    jest.dontMock("@medusajs/framework/utils")
  })
})
