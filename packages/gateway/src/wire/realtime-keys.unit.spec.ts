import { inspect } from "node:util"
import { REFERENCE } from "../../../../integration-tests/gateway/calls"
import { REALTIME_KEY } from "../../../../integration-tests/gateway/calls/realtime-keys"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import { createRealtimeKey } from "./realtime-keys"

const request = { sessionId: 55, sourceType: "ORDER" as const, referenceId: REFERENCE }

it("asks with the session as an integer, unlike an execution", () => {
  expect(written(createRealtimeKey, request).body).toEqual({
    session_id: 55,
    source_type: "ORDER",
    reference_id: REFERENCE,
  })
})

it("gives the token to who asks for it, and its life in seconds", () => {
  const key = read(createRealtimeKey, { ...REALTIME_KEY, expires_in: "300" }, request)
  expect(key.accessToken).toBe("CANARY-realtime-token")
  expect(key.expiresInSeconds).toBe(300)
  expect(key.wire["access_token"]).toBe("CANARY-realtime-token")
})

it("[S04] shows the token in no JSON, no copy and no console", () => {
  const key = read(createRealtimeKey, REALTIME_KEY, request)
  const shown = [
    JSON.stringify({ key }),
    JSON.stringify({ ...key }),
    inspect(key, { depth: 5, showHidden: true }),
    inspect([{ kind: "done", value: key }], { depth: 5 }),
    String(key),
    Object.values(key).join(),
  ]
  expect(shown.join("\n")).not.toContain("CANARY")
  expect(JSON.parse(JSON.stringify(key))).toEqual({ expiresInSeconds: 300 })
})

it.each([
  ["access_token", { access_token: undefined }],
  ["access_token", { access_token: "two words" }],
  ["expires_in", { expires_in: null }],
  ["expires_in", { expires_in: -1 }],
])("[N13] is not read when %s is wrong", (path, change) => {
  expect(misread(createRealtimeKey, { ...REALTIME_KEY, ...change }, request)).toEqual([path])
})

it.each([
  ["sessionId", { sessionId: 0 }],
  ["referenceId", { referenceId: "not-a-uuid" }],
])("is refused before sending when %s is wrong", (path, change) => {
  expect(refused(createRealtimeKey, { ...request, ...change })).toEqual([path])
})
