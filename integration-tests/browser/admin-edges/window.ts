/** What the small dashboard's page gives to a test. */
export type SmallDashboard = {
  /** The version of React. */
  readonly react: string
  readonly paths: readonly string[]
  open(path: string): Promise<void>
}

declare global {
  interface Window {
    dashboard: SmallDashboard
  }
}
