import { isPreviewOf, previewOriginIn } from "./preview-origin"

it.each([
  ["https://*.preview.shop.example", "https://*.preview.shop.example"],
  ["https://*.Shop.Example/", "https://*.shop.example"],
  ["https://*.shop.example:443", "https://*.shop.example"],
  ["https://*.shop.example:8443", "https://*.shop.example:8443"],
])("%s is a wildcard for one label, %s", (text, wildcard) => {
  expect(previewOriginIn(text)).toBe(wildcard)
})

it.each([
  "http://*.shop.example",
  "https://*",
  "https://*.example",
  "https://*.*.shop.example",
  "https://shop-*.shop.example",
  "https://*shop.example",
  "https://shop.*.example",
  "https://*.shop.example/path",
  "https://u:p@*.shop.example",
  "*.shop.example",
  "https://shop.example",
])("%s is no wildcard that can be kept to", (text) => {
  expect(previewOriginIn(text)).toBeUndefined()
})

it.each([
  ["https://pr-12.preview.shop.example", true],
  ["https://a.preview.shop.example", true],
  ["https://preview.shop.example", false],
  ["https://.preview.shop.example", false],
  ["https://a.b.preview.shop.example", false],
  ["https://evil.example/.preview.shop.example", false],
  ["https://u@evil.preview.shop.example", false],
  ["https://-.preview.shop.example", false],
  ["http://pr-12.preview.shop.example", false],
  ["https://pr-12.preview.shop.example:8443", false],
  ["https://pr-12.preview.shop.example.evil.example", false],
  ["https://pr-12xpreview.shop.example", false],
])("%s is of https://*.preview.shop.example: %s", (origin, isOne) => {
  expect(isPreviewOf("https://*.preview.shop.example", origin)).toBe(isOne)
})
