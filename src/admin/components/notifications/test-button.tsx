/** Sends a test to one address, and says what the provider said of it. */
import { useState } from "react"
import { channelName, notificationActs, problemText, type Address } from "../../lib/notifications"
import { useAct } from "../../lib/queries"
import type { TestResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Button, Hint, Problem } from "../parts"

export function TestButton({ address }: { readonly address: Address }) {
  const { say } = useWords()
  const [tested, setTested] = useState<TestResponse | null>(null)
  const test = useAct(() => notificationActs.test(address), setTested)
  const to = address.address ?? channelName(say, address.channel)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        type="button"
        isLoading={test.isPending}
        onClick={() => {
          setTested(null)
          test.mutate()
        }}
      >
        {say("notifications.test")}
      </Button>
      {tested && (
        <span role="status" data-testid="tested">
          <Hint className="break-words">
            {say(`notifications.tested_${tested.state}`, {
              to,
              problem: problemText(say, tested.problem),
            })}
          </Hint>
        </span>
      )}
      <Problem error={test.error} />
    </div>
  )
}
