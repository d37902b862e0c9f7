import { once } from "node:events"
import net from "node:net"
import { isPortFree, requirePorts } from "./ports.cjs"

async function listenOn(host: string): Promise<{ port: number; close: () => void }> {
  const server = net.createServer().listen(0, host)
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return { port: address.port, close: () => server.close() }
}

describe("ports", () => {
  it("one that somebody listens on is taken, whichever address they listen on", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      const { port, close } = await listenOn(host)
      expect(await isPortFree(port)).toBe(false)
      close()
    }
  })

  it("one that was let go is free", async () => {
    const { port, close } = await listenOn("127.0.0.1")
    close()
    expect(await isPortFree(port)).toBe(true)
  })

  it("a taken one is named with what wants it", async () => {
    const { port, close } = await listenOn("127.0.0.1")
    const sentence = `Port ${port}, which the store wants, is taken.`
    await expect(requirePorts({ store: port }, { waitMs: 0 })).rejects.toThrow(sentence)
    close()
  })

  it("one that is let go in time is no obstacle", async () => {
    const { port, close } = await listenOn("127.0.0.1")
    const required = requirePorts({ store: port }, { waitMs: 120_000 })
    close()
    await expect(required).resolves.toBeUndefined()
  })
})
