/** The code of a refusal, `none` where there is none. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  )
}
