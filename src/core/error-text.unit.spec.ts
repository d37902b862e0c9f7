import { errorText } from "./error-text"
import { LIMITS } from "./limits"

describe("what was thrown, in words", () => {
  it.each([
    ["an error", new Error("no stock"), "no stock"],
    ["an error as a workflow stored it", { name: "Error", message: "no stock" }, "no stock"],
    ["a text", "no stock", "no stock"],
    ["nothing", undefined, "undefined"],
  ])("reads %s", (_, thrown, text) => {
    expect(errorText(thrown)).toBe(text)
  })

  it("cuts what would fill the log", () => {
    expect(errorText(new Error("x".repeat(10_000)))).toHaveLength(LIMITS.messageLengthMax)
  })
})
