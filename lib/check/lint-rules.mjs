// Lint rules of this repository; .oxlintrc.jsonc says which files each of them applies to.

const TIME = "Time is an argument: use context.now.";

/** @type {Record<string, Parameters<import("oxlint/plugins-dev").RuleTester["run"]>[1]>} */
const rules = {
  "environment-at-the-edge": {
    create: (context) => ({
      MemberExpression({ object, property, ...node }) {
        if (object.type === "Identifier" && object.name === "process" && "name" in property && property.name === "env")
          context.report({
            node,
            message: "Read the configuration from lib/platform/env.ts, or take it as an argument (context.settings).",
          });
      },
    }),
  },
  "clock-at-the-edge": {
    create: (context) => ({
      MemberExpression({ object, property, ...node }) {
        if (object.type === "Identifier" && object.name === "Date" && "name" in property && property.name === "now")
          context.report({ node, message: TIME });
      },
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
          context.report({ node, message: TIME });
      },
    }),
  },
  "randomness-at-the-edge": {
    create: (context) => ({
      MemberExpression({ object, property, ...node }) {
        if (object.type === "Identifier" && object.name === "Math" && "name" in property && property.name === "random")
          context.report({ node, message: "Randomness is an argument: use context.random." });
      },
    }),
  },
};

export default { meta: { name: "signalbox" }, rules };
