/** The seed's shoppers share one catalogue, which is read while many of them begin at once. */
import { shopAt } from "../../integration-tests/http/support/shop"

const answer = (body: object) => Promise.resolve(new Response(JSON.stringify(body)))

afterEach(() => jest.restoreAllMocks())

it("a shopper who comes while the catalogue is being read waits until it is whole", async () => {
  let showProducts = () => {}
  const products = new Promise<void>((resolve) => (showProducts = resolve))
  const fetched = jest.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    if (String(address).includes("/store/regions")) {
      return answer({ regions: [{ id: "reg_1", name: "Liberia" }] })
    }
    await products
    return answer({ products: [{ handle: "enamel-mug", variants: [{ id: "variant_1" }] }] })
  })
  const shop = shopAt("http://shop", "pk")
  const first = shop.variant("enamel-mug")
  // The regions are known by now, and the products are not.
  await new Promise((resolve) => setImmediate(resolve))
  const second = shop.variant("enamel-mug")
  showProducts()
  expect(await Promise.all([first, second])).toEqual(["variant_1", "variant_1"])
  expect(fetched).toHaveBeenCalledTimes(2)
  await expect(shop.variant("no-such-thing")).rejects.toThrow("sells no no-such-thing")
})
