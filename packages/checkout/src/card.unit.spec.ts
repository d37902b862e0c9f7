/** A shopper whose card the store takes only with the shop's captcha. */
import { withCaptcha } from "./card.js"
import { Refused } from "./store.js"

const paused = (captcha: unknown) =>
  new Refused(429, "card_paused", "Cards are paused.", null, { captcha })

/** A store that wants a captcha, and what it was sent. */
function store(refusal: Error = paused(true)) {
  const sent: (string | undefined)[] = []
  const send = async ({ captcha_token: token }: { readonly captcha_token?: string }) => {
    sent.push(token)
    if (token !== "solved") throw refusal
    return "started"
  }
  return { sent, send }
}

const solves = { captcha: async () => "solved" }

describe("[D6] a start that the store takes with a captcha", () => {
  it("is sent once more with what the shopper solved", async () => {
    const { sent, send } = store()
    expect(await withCaptcha(solves, send)).toBe("started")
    expect(sent).toEqual([undefined, "solved"])
  })

  it("is refused once where the captcha was not solved, and asks no third time", async () => {
    const { sent, send } = store()
    const wrong = { captcha: async () => "wrong" }
    await expect(withCaptcha(wrong, send)).rejects.toMatchObject({ code: "card_paused" })
    expect(sent).toEqual([undefined, "wrong"])
  })

  it.each<[string, Parameters<typeof withCaptcha>[0], Error]>([
    ["the shopper leaves it", { captcha: () => Promise.reject(new Error("left")) }, paused(true)],
    ["the shop has none", {}, paused(true)],
    ["there is no card", undefined, paused(true)],
    ["the store asks for none", solves, paused(false)],
    ["the store says something else", solves, paused("yes")],
    ["the store does not answer", solves, new Error("offline")],
  ])("stays refused where %s", async (_why, adapter, refusal) => {
    const { sent, send } = store(refusal)
    await expect(withCaptcha(adapter, send)).rejects.toBe(refusal)
    expect(sent).toEqual([undefined])
  })
})
