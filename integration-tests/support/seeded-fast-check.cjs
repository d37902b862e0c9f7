// @ts-check
/** fast-check, drawing by the seed of the run, so that `npm test -- --seed N` draws the same. */
// Its own place: Jest maps the package's name to this file.
const fastCheck = require(/** @type {{ FAST_CHECK: string }} */ (globalThis).FAST_CHECK)

const seed = Number(process.env["TEST_SEED"])
if (seed > 0) fastCheck.configureGlobal({ seed })

module.exports = fastCheck
