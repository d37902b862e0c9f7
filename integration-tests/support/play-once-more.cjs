// @ts-check
/**
 * Stores and browsers meet chance that no test can rule out: a failed test of theirs is played once
 * more. One that passes then is named as unsteady in the last lines of `npm test`.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true })
