/** A gateway client against a scripted server; `closeBenches` closes both. */
import type { GatewayOptions } from "../../packages/gateway/src/create-gateway"
import { createGateway } from "../../packages/gateway/src/create-gateway"
import { drivenClock } from "./driven-clock"
import { startScriptedServer } from "./scripted-server"

export const CLIENT_SECRET = "CANARY-client-secret"

type Script = Parameters<typeof startScriptedServer>[0]

const open: { close(): Promise<void> }[] = []

export async function bench(script: Script, options: Partial<GatewayOptions> = {}) {
  const server = await startScriptedServer(script)
  open.push(server)
  const clock = drivenClock()
  const gateway = createGateway({
    baseUrl: server.url,
    clientId: "client",
    clientSecret: CLIENT_SECRET,
    clock,
    random: { fraction: () => 0.5 },
    ...options,
  })
  open.unshift(gateway)
  return { server, clock, gateway }
}

/** For `afterEach`. */
export async function closeBenches(): Promise<void> {
  for (const part of open.splice(0)) await part.close()
}
