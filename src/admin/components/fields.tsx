/** A form, and its fields, each with its label, its hint and the store's refusal. */
import { clx, Drawer, Input, Label, Select, Switch, Textarea, usePrompt } from "@medusajs/ui"
import { useId, useRef, type ChangeEvent, type FormEvent, type ReactNode } from "react"
import { MARKET_CURRENCIES } from "../../core/markets"
import { useWords } from "../lib/words"
import { Button } from "./parts"

export const CURRENCIES: readonly string[] = [...MARKET_CURRENCIES].sort()

export const asOptions = <const T extends string>(
  values: readonly T[],
  labelOf: (value: T) => string = (value) => value,
) => values.map((value) => ({ value, label: labelOf(value) }))

/**
 * A form in a drawer, with its buttons. `above` is displayed over the buttons: what is wrong. What
 * is typed is thrown away by its own button alone; Escape, the cross and a click beside the drawer
 * ask first.
 */
export function FormDrawer(props: {
  readonly title: string
  readonly submit: string
  readonly isPending: boolean
  /** Whether something is typed that closing would lose. */
  readonly isFilled: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly above: ReactNode
  readonly children: ReactNode
}) {
  const { onClose } = props
  const { say } = useWords()
  const prompt = usePrompt()
  const isAsked = useRef(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  const leave = async () => {
    // The question lies over the drawer, so a click on it is a click beside the drawer.
    if (isAsked.current) return
    if (!props.isFilled) return onClose()
    isAsked.current = true
    // The question listens for Escape itself: asked within this key press, it would close at once.
    await new Promise((resolve) => setTimeout(resolve))
    const isSure = await prompt({
      title: say("general.discardTitle"),
      description: say("general.discardText"),
      confirmText: say("general.discard"),
      cancelText: say("general.goOn"),
    })
    isAsked.current = false
    if (isSure) onClose()
  }
  return (
    <Drawer open onOpenChange={(isOpen) => void (!isOpen && leave())}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{props.title}</Drawer.Title>
        </Drawer.Header>
        <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col" noValidate>
          <Drawer.Body className="flex flex-1 flex-col gap-y-4 overflow-y-auto">
            {props.children}
          </Drawer.Body>
          <Drawer.Footer className="flex-col items-stretch gap-y-3">
            {props.above}
            <div className="flex justify-end gap-x-2">
              <Button type="button" onClick={onClose}>
                {say("general.cancel")}
              </Button>
              <Button variant="primary" type="submit" isLoading={props.isPending}>
                {props.submit}
              </Button>
            </div>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}

type Common = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

type Texts = Common & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: "password" | "number" | "tel"
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly inputMode?: "numeric"
  readonly maxLength?: number
  /** The number of lines of a longer text; without it, a field of one line. */
  readonly rows?: number
  /** Displays the text as code: for names and values of the gateway, one a line. */
  readonly isCode?: boolean
}

export function TextField(props: Texts) {
  const id = useId()
  const given = {
    id,
    value: props.value,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      props.onChange(event.target.value),
    // Not `required`, which would be red before anything is typed.
    "aria-required": props.isRequired,
    "aria-invalid": props.error !== undefined,
    "aria-describedby": `${id}-hint`,
  }
  return (
    <Frame id={id} {...props}>
      {props.rows ? (
        <Textarea
          {...given}
          rows={props.rows}
          className={props.isCode ? "font-mono text-xs" : ""}
        />
      ) : (
        <Input
          {...given}
          size="small"
          type={props.type ?? "text"}
          // The secret is not the login of this page, so the browser must not fill that in.
          autoComplete={props.type === "password" ? "new-password" : "off"}
          inputMode={props.inputMode}
        />
      )}
    </Frame>
  )
}

/** Medusa's select takes no empty value, so "nothing chosen" needs a name. */
const UNSET = "unset"

export function ChoiceField<T extends string>(
  props: Common & {
    readonly value: T
    readonly options: readonly { readonly value: T; readonly label: string }[]
    readonly onChange: (value: T) => void
  },
) {
  const id = useId()
  const choose = (chosen: string) => {
    const option = props.options.find(({ value }) => (value || UNSET) === chosen)
    if (option) props.onChange(option.value)
  }
  return (
    <Frame id={id} {...props}>
      <Select size="small" value={props.value || UNSET} onValueChange={choose}>
        <Select.Trigger id={id} aria-describedby={`${id}-hint`}>
          <Select.Value />
        </Select.Trigger>
        <Select.Content>
          {props.options.map(({ value, label }) => (
            <Select.Item key={value || UNSET} value={value || UNSET}>
              {label}
            </Select.Item>
          ))}
        </Select.Content>
      </Select>
    </Frame>
  )
}

export function SwitchField(
  props: Common & { readonly value: boolean; readonly onChange: (value: boolean) => void },
) {
  const id = useId()
  return (
    <div className="flex items-start gap-x-3">
      <Switch
        id={id}
        size="small"
        checked={props.value}
        aria-describedby={`${id}-hint`}
        onCheckedChange={props.onChange}
      />
      <div className="flex flex-col">
        <Label htmlFor={id} size="small" weight="plus">
          {props.label}
        </Label>
        <Below id={id} {...props} />
      </div>
    </div>
  )
}

function Frame(props: Common & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-y-1">
      <Label htmlFor={props.id} size="small" weight="plus">
        {props.label}
      </Label>
      {props.children}
      <Below {...props} />
    </div>
  )
}

function Below({ id, hint, error }: Common & { readonly id: string }) {
  if (error === undefined && hint === undefined) return null
  return (
    <p
      id={`${id}-hint`}
      role={error === undefined ? undefined : "alert"}
      className={clx(
        "txt-small text-pretty",
        error === undefined ? "text-ui-fg-subtle" : "text-ui-fg-error",
      )}
    >
      {error ?? hint}
    </p>
  )
}
