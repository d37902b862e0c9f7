/** Who stands beside the first admin: another person, and a program with a secret API key. */
import { adminAt, type Admin } from "./admin"
import { expectOk, type Shop } from "./shop"

export type Caller = Pick<Admin, "call">

const callerWith = (shop: Shop, authorization: string): Caller => ({
  call: (method, path, body) => shop.call(method, path, body, { authorization }),
})

export async function anApiKey({ shop, admin }: { shop: Shop; admin: Admin }): Promise<Caller> {
  const { api_key } = await expectOk(
    admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "bookkeeping",
      type: "secret",
    }),
  )
  return callerWith(shop, `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`)
}

/** Invited by the first one, as Medusa does it. */
export async function anotherAdmin({ shop, admin }: { shop: Shop; admin: Admin }): Promise<Caller> {
  const login = { email: "bob@example.com", password: "another-password" }
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
