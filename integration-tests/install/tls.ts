/** The proxy in front of a store in production: it ends TLS and says whose request it passes on. */
import http from "node:http"
import https from "node:https"
import { once } from "node:events"
import { CERTIFICATE, KEY } from "../gateway/certificate"

export type Proxy = { readonly url: string; stop(): Promise<void> }

/** @param port the store's, on this machine */
export async function startProxy(port: number): Promise<Proxy> {
  const server = https.createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
    const { method, url: path, headers, socket } = request
    const passed = http.request({
      ...{ host: "localhost", port, method, path },
      headers: {
        ...headers,
        "x-forwarded-for": socket.remoteAddress ?? "",
        "x-forwarded-proto": "https",
      },
    })
    passed.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on("error", () => response.writeHead(502).end())
    response.on("close", () => passed.destroy())
    request.pipe(passed)
  })
  server.listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    url: `https://localhost:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
