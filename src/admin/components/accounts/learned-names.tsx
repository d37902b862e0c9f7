/**
 * What the gateway calls operators that the account has no name for. A click adds the name to the
 * account's `wire_names`, by the same change as the form makes: two admins where the rules ask so.
 */
import { toast } from "@medusajs/ui"
import { accountActs } from "../../lib/accounts"
import { useAct } from "../../lib/queries"
import type { AccountResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem, Strong } from "../parts"

type Learned = AccountResponse["learned_names"][number]

export function LearnedNames({ account }: { readonly account: AccountResponse }) {
  const { say } = useWords()
  if (account.learned_names.length === 0) return null
  return (
    <div className="flex flex-col gap-y-3" data-testid="learned-names">
      <Strong>{say("accounts.learnedTitle")}</Strong>
      {account.learned_names.map((learned) => (
        <OneName
          key={`${learned.payment_method} ${learned.carrier}`}
          account={account}
          learned={learned}
        />
      ))}
    </div>
  )
}

function OneName(props: { readonly account: AccountResponse; readonly learned: Learned }) {
  const { account, learned } = props
  const { say } = useWords()
  const { carrier, payment_method: method, proposals } = learned
  const use = useAct(
    (names: Learned["proposals"][number]["wire_names"]) =>
      accountActs.change(account.id, {
        version: account.version,
        wire_names: { ...account.wire_names, ...names },
      }),
    () => void toast.success(say("accounts.learnedUsed", { carrier })),
  )
  return (
    <div className="flex flex-col items-start gap-y-2">
      <Hint className="break-words">{say("accounts.learned", { carrier, method })}</Hint>
      {proposals.map(({ operator, wire_names: names }) =>
        account.source === "admin" ? (
          <Button key={operator} isLoading={use.isPending} onClick={() => use.mutate(names)}>
            {say("accounts.learnedUse", { operator })}
          </Button>
        ) : (
          <Hint key={operator} className="break-words">
            {say("accounts.learnedOption", { names: JSON.stringify(names) })}
          </Hint>
        ),
      )}
      <Problem error={use.error} />
    </div>
  )
}
