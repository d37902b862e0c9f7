import { html, script } from "./html"
import { shownAmount } from "./layout"

test("whatever is put into a page is escaped, in text and in attributes", () => {
  const name = `<img src=x onerror="alert('1')">`
  expect(html`<p title="${name}">${name}</p>`.text).not.toMatch(/<img|onerror="/)
})

test("html inside html stays html", () => {
  const items = [html`<li>${"a&b"}</li>`]
  expect(
    html`<ul>
      ${items}
    </ul>`.text,
  ).toContain("<li>a&amp;b</li>")
})

test("a value in a script cannot end the script", () => {
  expect(script("</script><script>alert(1)").text).not.toContain("</script>")
})

test("amounts are shown with their currency and grouped", () => {
  expect(shownAmount("1234567.50", "USD")).toBe("USD 1,234,567.50")
  expect(shownAmount("2500", "RWF")).toBe("RWF 2,500")
})
