import { expect, it } from "vitest";
import { readDataUrl } from "./data-url";

it.each<[string, string, string]>([
  ["data:image/png;base64,aGk=", "image/png", "aGk="],
  ["data:image/PNG;BASE64,aGk=", "image/png", "aGk="],
  ["DATA:text/html;charset=utf-8;base64,aGk=", "text/html", "aGk="],
  ["data:text/csv,a%2Cb", "text/csv", "YSxi"],
  ["data:text/plain,100%", "text/plain", "MTAwJQ=="],
  ["data:,a", "text/plain", "YQ=="],
  ["data:,", "text/plain", ""],
])("%s", (url, mediaType, base64) => {
  expect(readDataUrl(url)).toEqual({ mediaType, base64 });
});

it.each(["", "data:", "data:image/png;base64", "https://example.com/a,b", "a,b"])("%j is none", (text) => {
  expect(readDataUrl(text)).toBeNull();
});
