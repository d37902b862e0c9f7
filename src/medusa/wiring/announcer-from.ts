import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Announcer } from "../../worker/announce"
import type { Announcement } from "../../worker/rules/announcements"
import { flowsFrom } from "./flows-from"

/** The dependencies of announcements: Medusa's event bus, whichever module that is. */
export function announcerFrom(container: MedusaContainer): Announcer {
  const bus: IEventBusModuleService = container.resolve(Modules.EVENT_BUS)
  return {
    ...flowsFrom(container),
    bus: { tell: (announcements) => bus.emit<Announcement["data"]>([...announcements]) },
  }
}
