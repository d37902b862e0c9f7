/** The endpoints behind the client's methods, found by calling each method once over a spy. */
import { resourcesOf } from "../../../packages/gateway/src/create-gateway"
import type { Endpoint } from "../../../packages/gateway/src/endpoint"
import type { Gateway, OperationName } from "../../../src/gateway"
import { CALLS } from "../../gateway/calls"

export async function endpointsOfTheClient(): Promise<ReadonlyMap<OperationName, AnyEndpoint>> {
  const found = new Map<OperationName, AnyEndpoint>()
  const spied = resourcesOf((endpoint) => {
    found.set(endpoint.operation, endpoint)
    return Promise.reject(new Spied())
  })
  const gateway: Gateway = {
    ...spied,
    token: { failures: 0, check: () => Promise.reject(new Spied()) },
    isDenied: false,
    close: () => Promise.resolve(),
  }
  for (const call of CALLS) {
    await call.run(gateway).catch((error: unknown) => {
      if (!(error instanceof Spied)) throw error
    })
  }
  return found
}

export type AnyEndpoint = Pick<Endpoint<never, unknown>, "operation" | "read">

class Spied extends Error {}
