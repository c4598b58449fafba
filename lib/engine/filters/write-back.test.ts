import { expect, it } from "vitest";
import { CopyOnWrite } from "./write-back";

it("copies only the objects it writes to", () => {
  const original = { input: [{ content: [{ text: "a" }, { text: "b" }] }, { content: "c" }], tools: [{ name: "t" }] };
  const before = structuredClone(original);
  const copy = new CopyOnWrite(original);
  expect(copy.value).toBe(original);
  copy.write(["input", 0, "content", 0, "text"], "A");
  copy.write(["input", 0, "content", 1, "text"], "B");
  expect(copy.value).toEqual({ ...before, input: [{ content: [{ text: "A" }, { text: "B" }] }, { content: "c" }] });
  expect(original).toEqual(before);
  expect(copy.value.tools).toBe(original.tools);
  expect(copy.value.input[1]).toBe(original.input[1]);
});
