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
  "late-part-retried": {
    create: (context) => ({
      CallExpression({ callee, arguments: [load] }) {
        if (callee.type !== "Identifier" || callee.name !== "dynamic" || load?.type !== "ArrowFunctionExpression")
          return;
        const loaded = load.body.type === "CallExpression" ? load.body.callee : null;
        if (loaded?.type !== "Identifier" || loaded.name !== "persistently")
          context.report({
            node: load,
            message: "A part that can't be fetched breaks the page: dynamic(() => persistently(() => import(…))).",
          });
      },
    }),
  },
};

export default { meta: { name: "signalbox" }, rules };
