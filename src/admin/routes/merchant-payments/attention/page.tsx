/** Operations that need a decision; each line links to its page. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { AttentionList } from "../../../components/attention-list"
import { SectionTabs } from "../../../components/section-tabs"

const Attention = () => (
  <div className="flex flex-col gap-y-3">
    <SectionTabs />
    <Container className="p-0">
      <AttentionList />
    </Container>
  </div>
)

export const config = defineRouteConfig({
  label: "menu.attention",
  translationNs: "merchantPayments",
  rank: 1,
})

export default Attention
