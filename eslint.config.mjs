// Errors only: a rule that may be ignored is not here. Layout and taste are left to the eye.
import eslint from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** Where the environment may be read: each process parses it once, at its edge. */
const ENVIRONMENT_EDGES = [
  "lib/env.ts",
  "lib/server/*.mjs",
  "lib/cli/*.mjs",
  "lib/database/generate-client.mjs",
  "lib/testing/**",
  "lib/check/**",
  "lib/demo/**",
  "e2e/**",
  "bench/**",
  "next.config.ts",
  "app/design/page.tsx",
];

/** Where the clock may be read: at the gate and at start; everything below is told the time (`context.now`). */
const CLOCK_EDGES = [
  "lib/http/handle.ts",
  "lib/http/request-facts.ts",
  "lib/boot.ts",
  "lib/server/*.mjs",
  "lib/testing/**",
  "lib/check/**",
  "lib/demo/**",
  "lib/**/*.test.ts",
];

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Read the configuration from lib/env.ts, or take it as an argument (context.settings).",
};
const clock = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
].map((selector) => ({
  selector,
  message: "Time is an argument here: use context.now.",
}));

const fragilePart = {
  selector: "CallExpression[callee.name='dynamic'] > ArrowFunctionExpression[body.callee.name!='persistently']",
  message: "A part that can't be fetched would take the page with it: dynamic(() => persistently(() => import(…))).",
};

export default defineConfig(
  { ignores: [".next/", ".signalbox/", "prisma/generated/", "next-env.d.ts", "test-results/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: "lib/check/tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["error", 400],
      "no-console": "error",
      eqeqeq: "error",
      "no-restricted-syntax": ["error", environment],
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      // A statement for its effect in arrow shorthand, and numbers in texts, read well and are safe.
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // An async handler given to an event or a form is no mistake; a floating promise is one.
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false, properties: false } },
      ],
      // An empty text falls back like an absent one; keys of unknown origin stand in brackets; Playwright reads the braces.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/dot-notation": "off",
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
      // A handler is async because its caller awaits, whether or not it has something to await.
      "@typescript-eslint/require-await": "off",
      // These argue with another rule here, or about spelling alone.
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/consistent-indexed-object-style": "off",
      "@typescript-eslint/non-nullable-type-assertion-style": "off",
      "@typescript-eslint/no-generated-empty-object-type": "off",
    },
  },
  { files: ["lib/**/*.ts"], ignores: CLOCK_EDGES, rules: { "no-restricted-syntax": ["error", environment, ...clock] } },
  { files: ENVIRONMENT_EDGES, rules: { "no-restricted-syntax": "off" } },
  { files: ["components/**/*.tsx"], rules: { "no-restricted-syntax": ["error", environment, fragilePart] } },
  { files: ["**/*.tsx", "components/**/*.ts"], ...reactHooks.configs.flat["recommended-latest"] },
  {
    files: ["lib/**/*policy.ts", "lib/**/*contract.ts"],
    rules: { "no-restricted-globals": ["error", "fetch", "process", "setTimeout", "setInterval"] },
  },
  {
    // Matchers are typed `any`, and so is what they are put into.
    files: ["**/*.test.ts", "**/*.spec.ts"],
    rules: { "@typescript-eslint/no-unsafe-assignment": "off", "@typescript-eslint/no-unsafe-return": "off" },
  },
  {
    // Plain JavaScript gets its types from comments: what Node or JSON.parse hands over stays untyped.
    files: ["**/*.mjs"],
    rules: {
      "no-undef": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
);
