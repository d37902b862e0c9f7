/** Who gets the goods and where. The phone number is the one that is offered for paying. */
import { Refused } from "medusa-merchant-payments-checkout"
import { useState, type FormEvent } from "react"
import type { Cart, Region } from "../api/store"
import { useAct } from "../hooks/use-act"
import { useCart } from "../hooks/use-cart"
import { useRegion } from "../hooks/use-region"
import { useShop } from "../shop"
import { words } from "../words"
import { Field } from "./field"
import { Problem } from "./notice"

const PHONE_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  lr: ["0770 123 456", "+231 770 123 456"],
  rw: ["0788 123 456", "+250 788 123 456"],
}
const OF_NO_OPERATOR = ["invalid_phone", "operator_unknown"]
const OTHER_EXAMPLE = ["+231 770 123 456"]

type Country = NonNullable<Region["countries"]>[number]

function byName(a: Country, b: Country): number {
  return (a.display_name ?? "").localeCompare(b.display_name ?? "")
}

export function AddressForm({ cart, done }: { cart: Cart; done(): void }) {
  const { update } = useCart()
  const { current: region } = useRegion()
  const saving = useAct()
  const countries = [...(region.countries ?? [])].sort(byName)
  const address = cart.shipping_address
  const [country, setCountry] = useState(address?.country_code ?? countries[0]?.iso_2 ?? "")

  const [phoneProblem, setPhoneProblem] = useState<string | null>(null)
  // Said once of a number: whoever goes on with it pays in another way.
  const [toldOf, setToldOf] = useState<string | null>(null)
  const { checkout } = useShop()

  /** What is wrong with the number; null where nothing is, or the store does not say. */
  const wrongWith = async (phone: string): Promise<string | null> => {
    if (phone === toldOf || !(country in PHONE_EXAMPLES)) return null
    const refused = await checkout.store.operator(phone, country).then(
      () => null,
      (error: unknown) => (error instanceof Refused ? error.code : null),
    )
    if (refused === null || !OF_NO_OPERATOR.includes(refused)) return null
    setToldOf(phone)
    return words.checkout.phoneOfNone
  }

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const entered = new FormData(form)
    const text = (name: string) => String(entered.get(name) ?? "").trim()
    let wrong: string | null = null
    const isAsked = await saving.run(async () => {
      wrong = await wrongWith(text("phone"))
    })
    setPhoneProblem(wrong)
    if (wrong !== null) form.querySelector<HTMLInputElement>('[name="phone"]')?.focus()
    if (!isAsked || wrong !== null) return
    const shipping = {
      first_name: text("first_name"),
      last_name: text("last_name"),
      address_1: text("address_1"),
      city: text("city"),
      postal_code: text("postal_code"),
      phone: text("phone"),
      country_code: country,
    }
    const changes = {
      email: text("email") || null,
      shipping_address: shipping,
      billing_address: shipping,
    }
    if (await saving.run(() => update(changes))) done()
  }

  return (
    <form className="form" onSubmit={(event) => void save(event)} data-testid="address-form">
      <Field
        label={words.checkout.email}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={cart.email ?? ""}
      />
      <div className="form-pair">
        <Field
          label={words.checkout.firstName}
          name="first_name"
          autoComplete="given-name"
          defaultValue={address?.first_name ?? ""}
          required
        />
        <Field
          label={words.checkout.lastName}
          name="last_name"
          autoComplete="family-name"
          defaultValue={address?.last_name ?? ""}
          required
        />
      </div>
      <Field
        label={words.checkout.street}
        name="address_1"
        autoComplete="address-line1"
        defaultValue={address?.address_1 ?? ""}
        required
      />
      <div className="form-pair">
        <Field
          label={words.checkout.town}
          name="city"
          autoComplete="address-level2"
          defaultValue={address?.city ?? ""}
          required
        />
        <Field
          label={words.checkout.postcode}
          name="postal_code"
          autoComplete="postal-code"
          defaultValue={address?.postal_code ?? ""}
        />
      </div>
      <div className="field">
        <label htmlFor="country">{words.checkout.country}</label>
        <select
          id="country"
          value={country}
          autoComplete="country"
          onChange={(event) => setCountry(event.target.value)}
        >
          {countries.map(({ iso_2: code, display_name: name }) => (
            <option key={code} value={code}>
              {name ?? code?.toUpperCase()}
            </option>
          ))}
        </select>
      </div>
      <Field
        label={words.checkout.phone}
        name="phone"
        type="tel"
        autoComplete="tel"
        hint={words.checkout.phoneExample(
          (PHONE_EXAMPLES[country] ?? OTHER_EXAMPLE).join(words.checkout.phoneOr),
        )}
        problem={phoneProblem}
        onChange={() => setPhoneProblem(null)}
        defaultValue={address?.phone ?? ""}
        required
      />
      <Problem message={saving.message} />
      <button type="submit" className="button" disabled={saving.isBusy}>
        {saving.isBusy ? words.common.saving : words.common.continue}
      </button>
    </form>
  )
}
