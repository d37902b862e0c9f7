// @ts-check
/** An end that a person can do something about: told in a sentence, without a stack. */
class StartFailure extends Error {
  /**
   * @param {string} message
   * @param {{ logFile?: string }} [options] the log whose last lines explain it
   */
  constructor(message, { logFile } = {}) {
    super(message)
    this.name = "StartFailure"
    this.logFile = logFile
  }
}

module.exports = { StartFailure }
