import { useKit } from "./context.js"

/** Whom to ask; nothing where the shop has not said. */
export function Contact() {
  const { say, contact } = useKit()
  if (!contact) return null
  const { email, phone } = contact
  return (
    <p className="mp-hint" data-testid="mp-contact">
      {say("contact.ask")} {email && <a href={`mailto:${email}`}>{email}</a>}{" "}
      {phone && <a href={`tel:${phone.replace(/ /g, "")}`}>{phone}</a>}
    </p>
  )
}
