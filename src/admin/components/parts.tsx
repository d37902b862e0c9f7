/**
 * Small parts of the pages. Nothing from a response is read as HTML. They use only classes that the
 * dashboard uses itself, because its build does not always find a plugin's own, and inline styles
 * for the rest.
 */
import { CheckMini, SquareTwoStackMini } from "@medusajs/icons"
import {
  Alert,
  Button as MedusaButton,
  clx,
  Container,
  Heading,
  IconButton,
  Skeleton,
  StatusBadge,
  Table as MedusaTable,
  Text,
  Tooltip,
} from "@medusajs/ui"
import { useEffect, useState, type ComponentProps, type ReactNode } from "react"
import type { WordKey } from "../i18n/words"
import { useAdminName } from "../lib/queries"
import { useWords } from "../lib/words"
import type { OperationSummary } from "../lib/responses"
import { labelOf } from "../lib/operation-state"

const RIGHT = "text-right tabular-nums"
const COPIED_FOR_MS = 1_500
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const NAME_AND_VALUE = { gridTemplateColumns: "minmax(0, 2fr) minmax(0, 3fr)" }

export function State({ operation }: { readonly operation: OperationSummary }) {
  const { say } = useWords()
  const { word, colour } = labelOf(operation)
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <StatusBadge color={colour} className="text-nowrap">
        {say(word)}
      </StatusBadge>
      {operation.is_duplicate && operation.type === "COLLECTION" && (
        <StatusBadge color="orange" className="text-nowrap">
          {say("state.is_duplicate")}
        </StatusBadge>
      )}
    </span>
  )
}

/** Small, and secondary unless it is the main button. */
export function Button(props: ComponentProps<typeof MedusaButton>) {
  return <MedusaButton size="small" variant="secondary" {...props} />
}

/** How long ago a moment was, counting on while the page is open. */
export function Ago({ at }: { readonly at: string }) {
  const { ago } = useWords()
  const [, count] = useState(0)
  const [isYoung, setYoung] = useState(true)
  useEffect(() => {
    const everyMs = isYoung ? SECOND_MS : MINUTE_MS
    const timer = setInterval(() => {
      count((before) => before + 1)
      setYoung(Date.now() - new Date(at).getTime() < MINUTE_MS)
    }, everyMs)
    return () => clearInterval(timer)
  }, [at, isYoung])
  return <span>{ago(at)}</span>
}

/** An admin, or the API key of a program, by name; a dash where none asked. */
export function AdminName({ id }: { readonly id: string | null }) {
  return useAdminName(id) ?? "–"
}

/** A titled box of a page. */
export function Section(props: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <Heading level="h2">{props.title}</Heading>
        {props.beside}
      </div>
      {props.children}
    </Container>
  )
}

/** A titled part inside a box. */
export function Part(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="py-3">
      <Heading level="h3" className="px-6 py-1">
        {props.title}
      </Heading>
      {props.children}
    </div>
  )
}

/** Name and value; a row without a value is left out. */
export function Row(props: { readonly name: string; readonly children: ReactNode }) {
  if (!props.children) return null
  return (
    <div className="text-ui-fg-subtle grid items-start gap-3 px-6 py-1.5" style={NAME_AND_VALUE}>
      <Text size="small" leading="compact" weight="plus">
        {props.name}
      </Text>
      <div className="txt-compact-small text-ui-fg-base min-w-0 break-words">{props.children}</div>
    </div>
  )
}

/** Names and values under each other. */
export function Rows(props: { readonly rows: readonly (readonly [WordKey, ReactNode])[] }) {
  const { say } = useWords()
  return (
    <div className="py-2">
      {props.rows.map(([word, value]) => (
        <Row key={word} name={say(word)}>
          {value}
        </Row>
      ))}
    </div>
  )
}

/** A text to copy, such as an id. */
export function Copyable({ text }: { readonly text: string }) {
  const { say } = useWords()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const label = say(isCopied ? "general.copied" : "general.copy")
  return (
    <span className="inline-flex max-w-full items-start gap-1">
      <span className="font-mono text-xs" style={{ overflowWrap: "anywhere", lineHeight: "20px" }}>
        {text}
      </span>
      <Tooltip content={label}>
        <IconButton
          size="2xsmall"
          variant="transparent"
          aria-label={`${label}: ${text}`}
          onClick={() => void copy(text).then(() => setCopied(true))}
        >
          {isCopied ? <CheckMini /> : <SquareTwoStackMini />}
        </IconButton>
      </Tooltip>
    </span>
  )
}

/** The clipboard API exists only on https and localhost; elsewhere a text field is used. */
export async function copy(text: string): Promise<void> {
  if ("clipboard" in navigator) return navigator.clipboard.writeText(text)
  const field = document.createElement("textarea")
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand("copy")
  field.remove()
}

/** What went wrong, next to where it happened. */
export function Problem(props: {
  readonly error: unknown
  readonly again?: () => void
  /** Adds padding, for a section that has none of its own. */
  readonly isInset?: boolean
}) {
  const { problem, say } = useWords()
  if (!props.error) return null
  const alert = (
    <Alert variant="error" role="alert" data-testid="problem">
      <span className="flex flex-col items-start gap-2">
        <span>{problem(props.error)}</span>
        {props.again && <Button onClick={props.again}>{say("problem.again")}</Button>}
      </span>
    </Alert>
  )
  return props.isInset ? <div className="px-6 py-4">{alert}</div> : alert
}

type Words = { readonly children: ReactNode; readonly className?: string }

export function Hint({ children, className }: Words) {
  return (
    <Text size="small" className={clx("text-ui-fg-subtle text-pretty", className)}>
      {children}
    </Text>
  )
}

export function Strong({ children, className }: Words) {
  return (
    <Text size="small" weight="plus" className={className}>
      {children}
    </Text>
  )
}

/** A placeholder until a section is loaded. */
export function Waiting({ rows = 4 }: { readonly rows?: number }) {
  const { say } = useWords()
  return (
    <Container
      className="flex flex-col gap-y-3 px-6 py-4"
      role="group"
      aria-busy
      aria-label={say("general.loading")}
    >
      <Skeleton className="h-7 w-full max-w-48" />
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-5 w-full" />
      ))}
    </Container>
  )
}

export type Table = {
  readonly heads: readonly ReactNode[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** Index of the first column of numbers, from which on cells are aligned to the right. */
  readonly numbersFrom?: number
}

/** A plain table: its heads, then its rows. */
export function Cells({ heads, rows, numbersFrom = Infinity }: Table) {
  const align = (column: number) => (column < numbersFrom ? "tabular-nums" : RIGHT)
  return (
    <MedusaTable>
      <MedusaTable.Header>
        <MedusaTable.Row>
          {heads.map((head, column) => (
            <MedusaTable.HeaderCell key={column} className={align(column)}>
              {head}
            </MedusaTable.HeaderCell>
          ))}
        </MedusaTable.Row>
      </MedusaTable.Header>
      <MedusaTable.Body>
        {rows.map((cells, n) => (
          <MedusaTable.Row key={n}>
            {cells.map((cell, column) => (
              <MedusaTable.Cell key={column} className={align(column)}>
                {cell}
              </MedusaTable.Cell>
            ))}
          </MedusaTable.Row>
        ))}
      </MedusaTable.Body>
    </MedusaTable>
  )
}

/** A table that may be wider than the page; focusable, so that a keyboard can scroll it. */
export function WideTable(props: Table & { readonly label: string; readonly testId: string }) {
  const { label, testId } = props
  return (
    <div
      className="overflow-x-auto"
      data-testid={testId}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Cells {...props} />
    </div>
  )
}
