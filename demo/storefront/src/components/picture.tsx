/**
 * A product's picture, or its first letter where there is none. Decorative: the name stands beside
 * it.
 */
type PictureProps = { src: string | null | undefined; name: string; className: string }

export function Picture({ src, name, className }: PictureProps) {
  if (src) return <img className={className} src={src} alt="" loading="lazy" />
  return (
    <span className={`${className} picture-letter`} aria-hidden="true">
      {name.charAt(0)}
    </span>
  )
}
