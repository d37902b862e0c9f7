/** Who stands beside the first admin: another person, and a program with a secret API key. */
import { randomUUID } from "node:crypto"
import { adminAt, type Admin } from "./admin"
import { expectOk, type Shop } from "./shop"

export type Caller = Pick<Admin, "call">

const callerWith = (shop: Shop, authorization: string): Caller => ({
  call: (method, path, body) => shop.call(method, path, body, { authorization }),
})

export async function anApiKey({ shop, admin }: { shop: Shop; admin: Caller }): Promise<Caller> {
  const { api_key } = await expectOk(
    admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "bookkeeping",
      type: "secret",
    }),
  )
  return callerWith(shop, `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`)
}

type Login = { email: string; password: string }

const newLogin = (): Login => ({
  email: `bob-${randomUUID()}@example.com`,
  password: "another-password",
})

/**
 * Invited by the first one, as Medusa does it.
 * @param login by default of a person whom no other suite of this store has invited
 */
export async function anotherAdmin(
  { shop, admin }: { shop: Shop; admin: Admin },
  login = newLogin(),
): Promise<Caller> {
  const { invite } = await expectOk(
    admin.call<{ invite: { token: string } }>("POST", "/admin/invites", { email: login.email }),
  )
  const { token } = await expectOk(
    shop.call<{ token: string }>("POST", "/auth/user/emailpass/register", login),
  )
  await expectOk(
    shop.call(
      "POST",
      `/admin/invites/accept?token=${invite.token}`,
      { email: login.email },
      { authorization: `Bearer ${token}` },
    ),
  )
  return adminAt(shop, login)
}
