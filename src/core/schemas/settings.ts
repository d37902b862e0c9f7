/**
 * The shapes of an account's settings: as a request or the plugin's options write them, and as a
 * response has them.
 */
import { z } from "zod"
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  NO_POLICIES,
  type AccountPolicies,
  type Amounts,
  type Setting,
  type SettingName,
  type SettingsBody,
} from "../account-settings"
import { number, text } from "./shapes"

/** What each border checks in its own way. A setting whose shape is not given is not taken. */
type Own = Partial<Record<Setting["holds"], z.ZodType>>

/** One amount may stand for every currency, where the border takes that. */
type Written<Value> = Amounts extends Value ? Value | number : Value

type Shapes<Values> = {
  readonly [Name in keyof Values]: z.ZodOptional<z.ZodType<Values[Name], Written<Values[Name]>>>
}

/** Every setting may be left out, and `policies` are an object of their own. */
export function settingShapes<Name extends SettingName = SettingName>(own: Own) {
  return {
    ...shapesOf<Pick<SettingsBody, Name>>(ACCOUNT_SETTINGS, own),
    policies: z.strictObject(shapesOf<AccountPolicies>(ACCOUNT_POLICIES, own)).optional(),
  }
}

function shapesOf<Values>(table: Readonly<Record<string, Setting>>, own: Own): Shapes<Values> {
  const shapes = Object.entries(table).flatMap(([name, row]) => {
    const shape = shapeOf(row, own)
    if (!shape) return []
    return [[name, (row.default === null ? shape.nullable() : shape).optional()]]
  })
  return Object.fromEntries(shapes) as Shapes<Values>
}

function shapeOf(row: Setting, own: Own): z.ZodType | undefined {
  switch (row.holds) {
    case "flag":
      return z.boolean()
    case "choice":
      return z.enum(row.of.flatMap((one) => one ?? []))
    case "number":
      return z.int().min(1).max(row.max)
    default:
      return own[row.holds]
  }
}

type Present<Values> = z.ZodObject<{
  readonly [Name in keyof Values]: z.ZodType<Values[Name], Values[Name]>
}>

/** What a response holds was checked on its way in. */
const STORED = {
  amounts: z.record(text, number),
  text,
  address: text,
  currencies: z.array(text),
  names: z.record(text, text),
}

export const settingsShown = z
  .strictObject(shapesOf<SettingsBody>(ACCOUNT_SETTINGS, STORED))
  .required() as unknown as Present<SettingsBody>
export const policiesShown = z
  .strictObject(shapesOf<AccountPolicies>(ACCOUNT_POLICIES, STORED))
  .required() as unknown as Present<AccountPolicies>

/** An unreadable amount is zero: everything needs a second admin or is held back. */
const storedAmounts = z.record(text, z.number().min(0)).nullable().default(null)

function storedShape(row: Setting): z.ZodType {
  if (row.holds === "amounts") return storedAmounts.catch({ "*": 0 })
  const shape = shapeOf(row, STORED) ?? z.unknown()
  return (row.default === null ? shape.nullable() : shape).catch(row.default)
}

/** Names that can't be read leave the neutral ones. */
export const storedNames = STORED.names.catch({})

/** Policies as the database stores them. What can't be read counts as the default. */
export const storedPolicies = z
  .object(
    Object.fromEntries(
      Object.entries(ACCOUNT_POLICIES).map(([name, row]) => [name, storedShape(row)]),
    ),
  )
  .catch(NO_POLICIES) as unknown as z.ZodType<AccountPolicies>
