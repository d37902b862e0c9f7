/** A link as a square to point a phone at. A file of its own, so that only who asks for it loads it. */
import { QRCodeSVG } from "qrcode.react"

const SIDE_PX = 168

/** Black on white in dark mode, too: that is what cameras look for. */
export default function PaymentLinkCode(props: { readonly url: string; readonly title: string }) {
  return (
    <span className="inline-flex rounded-lg p-2" style={{ background: "#fff" }}>
      <QRCodeSVG value={props.url} title={props.title} size={SIDE_PX} role="img" />
    </span>
  )
}
