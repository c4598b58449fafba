// Lint rules of this repository; .oxlintrc.jsonc lists the files that each rule applies to.

const TIME = "Time is an argument: use context.now.";

const EFFECTS = new Set(["useEffect", "useLayoutEffect", "useInsertionEffect"]);
const CLEANUP =
  "React calls what this function returns as its cleanup: write a block, or return a cleanup function. Browser methods that are typed void may return a promise.";

/** True if a function in arrow shorthand returns anything but a function. @param {{type: string, body?: unknown}} callback */
function returnsValue(callback) {
  if (callback.type !== "ArrowFunctionExpression") return false;
  const { type } = /** @type {{type: string}} */ (callback.body);
  return type !== "BlockStatement" && type !== "ArrowFunctionExpression" && type !== "FunctionExpression";
}

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
  "only-cleanups-from-effects": {
    create: (context) => ({
      CallExpression({ callee, arguments: [effect] }) {
        const name = callee.type === "MemberExpression" ? callee.property : callee;
        if (effect && name.type === "Identifier" && EFFECTS.has(name.name) && returnsValue(effect))
          context.report({ node: effect, message: CLEANUP });
      },
      JSXAttribute({ name, value }) {
        if (name.name !== "ref" || value?.type !== "JSXExpressionContainer") return;
        if (returnsValue(value.expression)) context.report({ node: value.expression, message: CLEANUP });
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
