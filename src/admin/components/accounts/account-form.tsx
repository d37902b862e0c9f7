/**
 * The form that adds or changes an account. The secret is sent and never returned. The connection
 * test uses the typed values before they are saved. If another admin has changed the account
 * meanwhile, saving is refused.
 */
import { TriangleDownMini, TriangleRightMini } from "@medusajs/icons"
import { Heading, toast } from "@medusajs/ui"
import { useState, type ComponentProps, type ReactNode } from "react"
import type { SettingGroup } from "../../../core/account-settings"
import { ApiError } from "../../lib/api"
import {
  bodyOf,
  draftOf,
  namesIn,
  paymentsAMinute,
  SETTINGS,
  type AccountDraft,
  type DraftProblem,
} from "../../lib/account-draft"
import { accountActs } from "../../lib/accounts"
import type { AccountResponse, AccountBody, ConnectionTestResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { CheckLines } from "./check-lines"
import { asOptions, ChoiceField, FormDrawer, SwitchField, TextField } from "../fields"
import { Button, Problem } from "../parts"

const draftFields = Object.keys(draftOf(null)) as (keyof AccountDraft)[]

/** The id of an account that is not saved yet. */
const NEW = "new"

/** @param account null for a new account */
export function AccountForm(props: {
  readonly account: AccountResponse | null
  readonly onClose: () => void
}) {
  const { account, onClose } = props
  const { say } = useWords()
  const [initial] = useState(draftOf(account))
  const [draft, setDraft] = useState(initial)
  const [unread, setUnread] = useState<DraftProblem | null>(null)
  const [tested, setTested] = useState<ConnectionTestResponse | null>(null)
  const saved = () => {
    toast.success(say("account.saved"))
    onClose()
  }
  const save = useAct((body: AccountBody) => {
    if (!account) return accountActs.add(body)
    return accountActs.change(account.id, { ...body, version: account.version })
  }, saved)
  const test = useAct((body: AccountBody) => accountActs.test(account?.id ?? NEW, body), setTested)
  // A result belongs to the values that were tested.
  const forgetTest = () => {
    setTested(null)
    test.reset()
  }
  const change = (field: keyof AccountDraft, value: string | boolean) => {
    setDraft((before) => ({ ...before, [field]: value }))
    forgetTest()
  }
  const withBody = (use: (body: AccountBody) => void) => {
    const body = bodyOf(draft)
    setUnread(typeof body === "string" ? body : null)
    if (typeof body !== "string") use(body)
  }
  return (
    <FormDrawer
      title={account ? say("account.editTitle", { label: account.label }) : say("account.addTitle")}
      submit={say("general.save")}
      isPending={save.isPending}
      isFilled={draftFields.some((field) => draft[field] !== initial[field])}
      onSubmit={() => withBody((body) => save.mutate(body))}
      onClose={onClose}
      above={<Problem error={save.error} />}
    >
      <Fields
        account={account}
        draft={draft}
        onChange={change}
        refusal={save.error ?? test.error}
        unread={unread}
        beside={
          <>
            <div>
              <Button
                type="button"
                isLoading={test.isPending}
                onClick={() => {
                  forgetTest()
                  withBody((body) => test.mutate(body))
                }}
              >
                {say("accounts.test")}
              </Button>
            </div>
            <Problem error={test.error} />
            {tested && <CheckLines lines={tested.lines} />}
          </>
        }
      />
    </FormDrawer>
  )
}

/** The field that the store refused, if it names one. */
function fieldOf(error: unknown): string | null {
  const field = error instanceof ApiError ? error.details["field"] : null
  return typeof field === "string" ? field : null
}

function Fields(props: {
  readonly account: AccountResponse | null
  readonly draft: AccountDraft
  readonly onChange: (field: keyof AccountDraft, value: string | boolean) => void
  readonly refusal: unknown
  readonly unread: DraftProblem | null
  /** Beside the connection fields: the connection test. */
  readonly beside: ReactNode
}) {
  const { account, draft, unread } = props
  const { say, field, problem } = useWords()
  const refused = fieldOf(props.refusal)?.replace("policies.", "")
  const wrongIn = (name: keyof AccountDraft) => {
    if (name !== unread) return name === refused ? problem(props.refusal) : undefined
    return say(name === "wire_names" ? "account.wireWrong" : "account.amountsWrong")
  }
  const of: FieldOf = (name) => ({
    ...field(`account.${name}`),
    error: wrongIn(name),
    value: draft[name],
    onChange: (value) => props.onChange(name, value),
  })
  /** The fields of a group; one that is wrong opens it. */
  const group = (name: SettingGroup, beside?: ReactNode) => (
    <Group
      title={say(`account.${name}`)}
      isFolded={!ALWAYS_OPEN.includes(name)}
      isWrong={namesIn(name).some((one) => wrongIn(one) !== undefined)}
    >
      {namesIn(name).map((one) => (
        <SettingField key={one} name={one} draft={draft} of={of} />
      ))}
      {beside}
    </Group>
  )
  return (
    <>
      {group(
        "connection",
        <>
          <TextField {...of("client_id")} />
          <TextField
            {...of("client_secret")}
            hint={say(account?.has_secret ? "account.secretKept" : "account.secretHint")}
            type="password"
          />
          {props.beside}
        </>,
      )}
      {group("payments", <SwitchField {...of("is_default")} />)}
      {group("orders")}
      {group("policies")}
      {group("moneyOut")}
      {group("wire")}
    </>
  )
}

const ALWAYS_OPEN: readonly SettingGroup[] = ["connection", "payments"]

type FieldOf = <Name extends keyof AccountDraft>(
  name: Name,
) => Pick<ComponentProps<typeof TextField>, "label" | "hint" | "error"> & {
  readonly value: AccountDraft[Name]
  readonly onChange: (value: AccountDraft[Name]) => void
}

type Flag = {
  [Name in DraftProblem]: AccountDraft[Name] extends boolean ? Name : never
}[DraftProblem]

/** How what is typed looks. */
const LOOKS: { readonly [Name in DraftProblem]?: Partial<ComponentProps<typeof TextField>> } = {
  label: { isRequired: true },
  base_url: { isRequired: true, placeholder: "https://" },
  realtime_url: { placeholder: "https://" },
  currencies: { placeholder: "LRD, USD" },
  wire_names: { rows: 3, isCode: true },
}

/** A setting by what it holds. */
function SettingField(props: {
  readonly name: DraftProblem
  readonly draft: AccountDraft
  readonly of: FieldOf
}) {
  const { name, draft, of } = props
  const { say, coded } = useWords()
  const row = SETTINGS[name]
  if (row.holds === "flag") return <SwitchField {...of(name as Flag)} />
  const typed = of(name as Exclude<DraftProblem, Flag>)
  if (row.holds === "choice") {
    const options = asOptions(
      row.of.map((one) => one ?? ""),
      (one) => coded(`account.${name}_${one || "unset"}`),
    )
    return <ChoiceField {...typed} options={options} />
  }
  const hints: { readonly [Name in DraftProblem]?: string } = {
    checks_per_second_max: say("account.checks_per_second_maxHint", {
      payments: paymentsAMinute(draft.checks_per_second_max),
    }),
    ...(draft.currencies.trim() === "" && { currencies: say("account.currenciesNone") }),
  }
  const hint = hints[name]
  return (
    <TextField
      {...typed}
      {...LOOKS[name]}
      {...(hint !== undefined && { hint })}
      {...(row.holds === "number" && { type: "number" })}
    />
  )
}

/** Aligns a button's text with the text around the button. */
const IN_LINE = { marginLeft: -8 }

function Group(props: {
  readonly title: string
  readonly isFolded?: boolean
  readonly isWrong?: boolean
  readonly children: ReactNode
}) {
  const [isOpen, setOpen] = useState(!props.isFolded)
  const isShown = isOpen || props.isWrong === true
  return (
    <section className="flex flex-col gap-y-4 pb-2">
      {props.isFolded ? (
        <Heading level="h3">
          <Button
            type="button"
            variant="transparent"
            style={IN_LINE}
            aria-expanded={isShown}
            onClick={() => setOpen(!isShown)}
          >
            {isShown ? <TriangleDownMini /> : <TriangleRightMini />}
            {props.title}
          </Button>
        </Heading>
      ) : (
        <Heading level="h3">{props.title}</Heading>
      )}
      {isShown && props.children}
    </section>
  )
}
