/**
 * From the client's name of an operation to the contract's, and from a request to its operation.
 */
import { OPERATIONS } from "../../../src/gateway"
import type { OperationName } from "../../../src/gateway"
import { CONTRACT_OPERATIONS } from "./contract"
import type { ContractOperation } from "./contract"

export function contractOf(name: OperationName): ContractOperation {
  const { method, path } = OPERATIONS[name]
  const found = CONTRACT_OPERATIONS.find(
    (operation) => operation.method === method && operation.path === path,
  )
  if (!found) throw new Error(`The contract has no ${method} ${path}`)
  return found
}

/** The values of the path's parameters and of the query, as they were written. */
export function readAddress(
  { path }: ContractOperation,
  url: string,
): { readonly params: Record<string, string>; readonly query: Record<string, string> } {
  const { pathname, searchParams } = new URL(url, "http://gateway.invalid")
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`)
  const values = pattern.exec(pathname)?.slice(1)
  if (!values) throw new Error(`${pathname} is not ${path}`)
  const params = Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]),
  )
  return { params, query: Object.fromEntries(searchParams) }
}
