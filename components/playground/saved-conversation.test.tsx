import { beforeEach, expect, it } from "vitest";
import { NEW_ANSWER } from "./conversation";
import { forgetConversation, isSaved, keepInMemory, saveConversation, savedConversation } from "./saved-conversation";

const saved = { systemPrompt: "", turns: [{ role: "user" as const, content: "Hello" }, NEW_ANSWER] };

beforeEach(() => forgetConversation("ada", "a"));

it("keeps a conversation in the tab, for one person and side", () => {
  expect(saveConversation("ada", "a", saved)).toBe(true);
  expect(savedConversation("ada", "a")).toEqual(saved);
  expect(isSaved("ada", "a", savedConversation("ada", "a") ?? expect.fail())).toBe(true);
  expect(savedConversation("ada", "b")).toBeNull();
  expect(savedConversation("grace", "a")).toBeNull();
  forgetConversation("ada", "a");
  expect(savedConversation("ada", "a")).toBeNull();
});

it("doesn't keep one that is too long", () => {
  const long = { systemPrompt: "", turns: [{ role: "user" as const, content: "x".repeat(200_000) }] };
  expect(saveConversation("ada", "a", long)).toBe(false);
  expect(savedConversation("ada", "a")).toBeNull();
});

it("keeps in memory what isn't stored", () => {
  keepInMemory("ada", "a", saved);
  expect(window.sessionStorage).toHaveLength(0);
  expect(isSaved("ada", "a", saved)).toBe(false);
  expect(savedConversation("ada", "a")).toEqual(saved);
});
