/** A link as a QR code. A file of its own, so that it is loaded only when opened. */
import { QRCodeSVG } from "qrcode.react"

const SIDE_PX = 168

/** Black on white also in the dark theme, because cameras need it. */
export default function PaymentLinkCode(props: { readonly url: string; readonly title: string }) {
  return (
    <span className="inline-flex rounded-lg p-2" style={{ background: "#fff" }}>
      <QRCodeSVG value={props.url} title={props.title} size={SIDE_PX} role="img" />
    </span>
  )
}
