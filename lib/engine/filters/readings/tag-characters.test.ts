import { expect, it } from "vitest";
import { taggedForm } from "./tag-characters";

it.each([
  ["\u{e0068}\u{e0069} there", "hi there"],
  ["a \u{e0020}b", "a  b"],
  ["no tags 😀", undefined],
])("reads %j as %j", (text, spelled) => expect(taggedForm(text)?.text).toBe(spelled));
