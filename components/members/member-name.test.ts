import { expect, it } from "vitest";
import { memberOption } from "./member-name";

it.each([
  [{ first_name: "Ada", last_name: "Lovelace" }, "Ada Lovelace (ada@example.com)"],
  [{ first_name: "Ada", last_name: null }, "Ada (ada@example.com)"],
  [{ first_name: null, last_name: null }, "ada@example.com"],
])("offers a member with %j as %s", (names, option) => {
  expect(memberOption({ ...names, email: "ada@example.com" })).toBe(option);
});
