/**
 * In the program of the tests a plain text or number may stand for an id, so that a test writes
 * `cartId: "cart_1"`. One thing's id is still no other thing's. The product is compiled without
 * this file (`tsconfig.json`), and there an id is made at an edge only.
 */
declare module "../../packages/gateway/src/terms/ids" {
  interface Literals {
    readonly areIds: true
  }
}

export {}
