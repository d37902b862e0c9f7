import { DEFAULT_SETTINGS } from "../rules/settings"
import { storedChanges, storedSettings } from "./stored-settings"

it("a kind that another version of the plugin has stored is left out, and the others stay", () => {
  const { recipients } = storedSettings.parse({
    ...DEFAULT_SETTINGS,
    recipients: DEFAULT_SETTINGS.recipients.map((one) => ({
      ...one,
      kinds: [...one.kinds, "of_another_version"],
    })),
  })
  const kinds = DEFAULT_SETTINGS.recipients.map((one) => [...one.kinds].sort())
  expect(recipients.map((one) => [...one.kinds].sort())).toEqual(kinds)
})

it("what a rule of another version has let in stays, and its neighbours with it", () => {
  const [first] = DEFAULT_SETTINGS.recipients
  const old = {
    ...first,
    channel: "E-Mail",
    schedule: { mode: "daily", hour: 7, time_zone: "Africa/Nowhere" },
  }
  const { recipients } = storedSettings.parse({
    ...DEFAULT_SETTINGS,
    recipients: [old, ...DEFAULT_SETTINGS.recipients],
  })
  expect(recipients.map(({ channel }) => channel)).toEqual(["E-Mail", "feed"])
})

it("a change that has no words here is left out of the history", () => {
  const known = { what: "added", channel: "feed", name: "", fields: [] }
  expect(storedChanges.parse([{ what: "muted" }, known])).toEqual([known])
})
