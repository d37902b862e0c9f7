/** How a test reads an answer: the value, or the paths of its problems. */
import type { Endpoint, WireRequest } from "../../packages/gateway/src/endpoint"

export function read<Request, Answer>(
  endpoint: Endpoint<Request, Answer>,
  body: unknown,
  request: Request,
): Answer {
  const parsed = endpoint.read(body, request)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}

export function misread<Request>(
  endpoint: Endpoint<Request, unknown>,
  body: unknown,
  request: Request,
): "read" | readonly string[] {
  const parsed = endpoint.read(body, request)
  return parsed.ok ? "read" : parsed.problems.map((problem) => problem.path)
}

/** The paths of a request's problems; none if it may be sent. */
export function refused<Request>(
  endpoint: Endpoint<Request, unknown>,
  request: Request,
): readonly string[] {
  const written = endpoint.write(request)
  return written.ok ? [] : written.problems.map((problem) => problem.path)
}

/** What is sent of a request that may be sent, as JSON writes it. */
export function written<Request>(
  endpoint: Endpoint<Request, unknown>,
  request: NoInfer<Request>,
): WireRequest {
  const sent = endpoint.write(request)
  if (!sent.ok) throw new Error(JSON.stringify(sent.problems))
  return JSON.parse(JSON.stringify(sent.value)) as WireRequest
}
