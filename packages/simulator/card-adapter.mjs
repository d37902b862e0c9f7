/**
 * The card processor's browser SDK, as a shop's page uses it, over the gateway simulator: a choice
 * of test cards in the place of card fields, and the bank's question in a frame over the page. For
 * development and tests; it knows no card number.
 */

/** Tokens of the simulator, and what the bank does with each. */
export const TEST_CARDS = [
  { token: "card_3ds", label: "Card, the bank asks (3-D Secure)" },
  { token: "card_no_3ds", label: "Card, the bank asks nothing" },
  { token: "card_declined", label: "Card, declined" },
]

export function createCardAdapter({ simulatorUrl }) {
  const { origin } = new URL(simulatorUrl)
  let chosen

  return {
    mount(element) {
      const label = document.createElement("label")
      label.textContent = "Test card "
      const select = document.createElement("select")
      select.dataset.testid = "test-card"
      for (const card of TEST_CARDS) select.append(new Option(card.label, card.token))
      label.append(select)
      element.append(label)
      chosen = select
      return () => {
        label.remove()
        if (chosen === select) chosen = undefined
      }
    },

    async tokenize() {
      if (!chosen) throw new Error("No card is chosen: mount the adapter first.")
      return chosen.value
    },

    // The simulator's bank knows the card by its secret; the SDK of a processor may want the token.
    confirm({ clientSecret }) {
      return askInFrame(origin, clientSecret)
    },
  }
}

/** Resolves when the bank says yes; rejects when it says no, or the shopper closes the frame. */
function askInFrame(origin, clientSecret) {
  return new Promise((resolve, reject) => {
    const dialog = document.createElement("dialog")
    dialog.style.cssText =
      "padding: 0; border: 0; width: min(30rem, 95vw); height: min(32rem, 90vh)"
    dialog.setAttribute("aria-label", "Card authentication")
    const close = document.createElement("button")
    close.type = "button"
    close.textContent = "Close"
    close.dataset.testid = "card-close"
    const frame = document.createElement("iframe")
    frame.title = "Card authentication"
    frame.style.cssText = "display: block; border: 0; width: 100%; height: calc(100% - 2.5rem)"
    const secret = encodeURIComponent(clientSecret)
    frame.src = `${origin}/processor/authenticate?client_secret=${secret}`
    dialog.append(close, frame)

    const end = (problem) => {
      removeEventListener("message", onMessage)
      dialog.remove()
      if (problem) reject(new Error(problem))
      else resolve()
    }
    const onMessage = ({ origin: from, source, data }) => {
      if (from !== origin || source !== frame.contentWindow) return
      if (data?.source !== "merchant-payments-simulator") return
      if (data.card === "passed") end()
      else if (data.card === "refused") end("The card's bank refused the payment.")
      else if (data.card === "over") end("The card's bank asks nothing any more.")
    }
    addEventListener("message", onMessage)
    const leave = () => end("The card's bank was not answered.")
    close.addEventListener("click", leave)
    dialog.addEventListener("cancel", leave)
    document.body.append(dialog)
    dialog.showModal()
  })
}
