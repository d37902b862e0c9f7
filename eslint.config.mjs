import medusa from "@medusajs/eslint-plugin"
import tseslint from "typescript-eslint"

const TYPED = [
  "src/**/*.ts",
  "packages/gateway/src/**/*.ts",
  "packages/simulator/src/**/*.ts",
  "integration-tests/**/*.ts",
  "examples/**/*.ts",
]
const ADMIN = ["src/admin/**/*.ts", "src/admin/**/*.tsx"]

const TYPED_RULES = {
  "@typescript-eslint/no-explicit-any": "error",
  "@typescript-eslint/no-floating-promises": "error",
  "@typescript-eslint/no-misused-promises": "error",
  "@typescript-eslint/no-non-null-assertion": "error",
  "@typescript-eslint/switch-exhaustiveness-check": [
    "error",
    { considerDefaultExhaustiveForUnions: true },
  ],
  "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  "@typescript-eslint/require-await": "off",
  // Objects here are closures, none has a `this` to lose.
  "@typescript-eslint/unbound-method": "off",
  "@typescript-eslint/consistent-type-imports": "error",
}

export default tseslint.config(
  {
    ignores: [
      "**/node_modules/**",
      "**/.medusa/**",
      "**/dist/**",
      ".demo/**",
      "contract/**",
      "docs/**",
      "coverage/**",
    ],
  },
  ...medusa.configs.recommended,
  // Medusa's set leaves tests out; ours are held to the same rules as what they test.
  { ignores: ["!integration-tests/**", "!**/*.spec.ts", "!**/__tests__/**"] },
  {
    // Errors inside the rooms are their own; they become MedusaErrors in one place (src/api, providers).
    ignores: ["src/api/**", "src/providers/**", "src/workflows/**", "src/admin/**"],
    rules: { "@medusajs/use-medusa-error-not-generic-error": "off" },
  },
  {
    // The gateway's client works without Medusa, so the package has a zod of its own, and one is enough.
    rules: { "@medusajs/zod-import-source": "off" },
  },
  {
    files: TYPED,
    ignores: ADMIN,
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tsconfig.check.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: TYPED_RULES,
  },
  {
    // In a browser, so with types of its own.
    files: ADMIN,
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: "./src/admin/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: TYPED_RULES,
  },
  {
    files: ["**/*.spec.ts", "**/testing/**/*.ts", "**/specs/**/*.ts", "integration-tests/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-base-to-string": "off",
      // RWF has no smaller unit: 7666 is the price.
      "@medusajs/prices-in-major-units": "off",
      "@typescript-eslint/restrict-template-expressions": "off",
    },
  },
)
