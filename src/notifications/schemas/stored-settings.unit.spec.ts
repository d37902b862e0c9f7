import { DEFAULT_SETTINGS } from "../rules/settings"
import { storedSettings } from "./stored-settings"

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
