/** Operations that need a decision; each line links to its page. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { OperationsTable } from "../../../components/operations-table"
import { SectionTabs } from "../../../components/section-tabs"
import { useWords } from "../../../lib/words"

const Attention = () => {
  const { say } = useWords()
  return (
    <div className="flex flex-col gap-y-3">
      <SectionTabs />
      <Container className="p-0">
        <OperationsTable
          heading={say("attention.title")}
          subHeading={say("attention.subtitle")}
          also={{ needs_attention: true }}
          showsReason
          empty={{ heading: say("attention.empty"), description: say("attention.emptyText") }}
        />
      </Container>
    </div>
  )
}

export const config = defineRouteConfig({
  label: "menu.attention",
  translationNs: "merchantPayments",
  rank: 1,
})

export default Attention
