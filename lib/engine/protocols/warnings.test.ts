import { expect, it } from "vitest";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { warningsOf } from "./warnings";

const warnings = (plugins: object[]) => {
  const body = ChatCompletionsBody.parse({ model: "a", messages: [{ role: "user", content: "Hi" }], plugins });
  return warningsOf({ protocol: "chat_completions", body }, [], null);
};

it.each([
  [
    "each enabled plugin",
    [{ id: "web" }, { id: "response-healing", enabled: true }, { id: "auto-router" }],
    "plugin-not-run=web, plugin-not-run=response-healing, plugin-not-run=auto-router",
  ],
  ["an unknown plugin", [{ id: "new plugin" }], "plugin-not-run=new%20plugin"],
  ["a plugin that is named twice once", [{ id: "web" }, { id: "web", max_results: 2 }], "plugin-not-run=web"],
  ["no plugin that is disabled", [{ id: "web", enabled: false }], null],
  ["nothing without plugins", [], null],
])("warnings name %s, because none is run", (_, plugins, expected) => expect(warnings(plugins)).toBe(expected));
