import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["out", "bundled", "node_modules", "test-ui", "src/protocol.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `?.`, `??` and defaults count here; they are read at a glance.
      complexity: ["error", 12],
      "max-lines": ["error", 300],
      eqeqeq: "error",
      // Each is a matter of taste on which this code has another one.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/dot-notation": "off",
    },
  },
  {
    files: ["scripts/*.mjs", "*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
    rules: { "no-unused-vars": ["error", { varsIgnorePattern: "^_" }] },
  },
  // Node's test runner returns promises that it waits for itself.
  { files: ["test/**"], rules: { "@typescript-eslint/no-floating-promises": "off" } },
);
