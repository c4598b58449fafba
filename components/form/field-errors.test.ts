import { expect, it } from "vitest";
import { listErrors } from "./field-errors";

const error = (message: string) => ({ type: "server", message, ref: { focus: () => undefined } });

it.each([
  ["no error", undefined, [], []],
  ["its own", error("is required"), ["is required"], []],
  ["its entries", [undefined, error("is unknown")], ["is unknown"], [1]],
  ["properties of its entries", [{ role: error("is unknown") }, { role: error("is unknown") }], ["is unknown"], [0, 1]],
  ["properties of its value", { sub: error("is required") }, ["is required"], []],
  [
    "a list's own",
    Object.assign([error("is unknown")], { root: error("has too many") }),
    ["has too many", "is unknown"],
    [0],
  ],
])("finds %s", (_, given, messages, entries) => {
  expect(listErrors(given)).toEqual({ messages, entries });
});
