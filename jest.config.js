/** One project a kind of test, so that `npm run test:unit` needs nothing and `npm run test:http` a built plugin. */
const transform = {
  "^.+\\.(t|j)sx?$": [
    "@swc/jest",
    {
      jsc: {
        parser: { syntax: "typescript", decorators: true, tsx: true },
        transform: { decoratorMetadata: true, react: { runtime: "automatic" } },
        target: "es2022",
      },
    },
  ],
}

/** The gateway's client is read from its sources, so that no test needs it built. */
const MAPPED = {
  "^fast-check$": "<rootDir>/integration-tests/support/seeded-fast-check.cjs",
  "^merchant-payments-gateway$": "<rootDir>/packages/gateway/src/index.ts",
  "^merchant-payments-gateway/terms/(.*)$": "<rootDir>/packages/gateway/src/terms/$1.ts",
}

const project = (displayName, testMatch, { moduleNameMapper, ...extra } = {}) => ({
  displayName,
  testMatch,
  transform,
  testEnvironment: "node",
  globals: { FAST_CHECK: require.resolve("fast-check") },
  moduleNameMapper: { ...MAPPED, ...moduleNameMapper },
  modulePathIgnorePatterns: [
    "<rootDir>/.medusa/",
    "<rootDir>/.demo/",
    "<rootDir>/demo/store/node_modules/",
  ],
  ...extra,
})

/** The checkout kit is an ES module: its imports name the files as they are built. */
const builtNames = { moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" } }

/**
 * Suites that share a store or a demo play in its file, where the command line names none of them.
 */
const together = (folder, suites) => ({
  testMatch: [`<rootDir>/integration-tests/${folder}/**/*.{spec,store,demo}.ts`],
  testPathIgnorePatterns: process.argv.some((one) => one.includes(`integration-tests/${folder}/`))
    ? []
    : [`/${folder}/(${Object.values(suites).flat().join("|")})\\.spec\\.ts$`],
})
const stores = together("http", require("./integration-tests/http/stores/suites.json"))
const demos = together("browser", require("./integration-tests/browser/demos/suites.json"))

const playedOnceMore = {
  setupFilesAfterEnv: ["<rootDir>/integration-tests/support/play-once-more.cjs"],
}

const withLedgerServer = {
  globalSetup: "<rootDir>/integration-tests/support/shared-server-setup.ts",
  globalTeardown: "<rootDir>/integration-tests/support/shared-server-teardown.ts",
}

module.exports = {
  // A bound, not an expectation: a machine that is busy with something else must not fail a test. Here,
  // because with projects Jest takes it from nowhere else.
  testTimeout: 1_000_000,
  testSequencer: "<rootDir>/integration-tests/support/file-order.cjs",
  projects: [
    project("unit", ["<rootDir>/{src,packages/*/src,demo,bench}/**/*.unit.spec.ts"], builtNames),
    project("simulator", ["<rootDir>/packages/simulator/src/**/*.sim.spec.ts"]),
    project("contract", ["<rootDir>/integration-tests/contract/**/*.spec.ts"]),
    project("faults", ["<rootDir>/integration-tests/faults/**/*.spec.ts"]),
    project("modules", ["<rootDir>/integration-tests/modules/**/*.spec.ts"], withLedgerServer),
    project(
      "proofs",
      ["<rootDir>/integration-tests/{crash,histories,install,proof,soak}/**/*.spec.ts"],
      withLedgerServer,
    ),
    project("http", stores.testMatch, {
      ...stores,
      ...builtNames,
      ...playedOnceMore,
      globalSetup: "<rootDir>/integration-tests/http/support/global-setup.ts",
      globalTeardown: "<rootDir>/integration-tests/http/support/global-teardown.ts",
    }),
    project("browser", demos.testMatch, { ...demos, ...playedOnceMore }),
    project("package", ["<rootDir>/integration-tests/package/**/*.spec.ts"]),
  ],
}
