import { describe, expect, it } from "vitest";
import { presetReference } from "../../lib/records/presets/reference";
import { LANGUAGES } from "../snippets/request-snippets";
import { referenceFields, REFERENCES, snippet } from "./snippets";

const options = { origin: "https://box.example", slug: "support", target: "", model: "sandbox/echo" };

describe("referenceFields, as parsed by the server", () => {
  it.each(REFERENCES)("references the preset by %s, also pinned or by label", (reference) => {
    for (const [target, version, label] of [
      ["", null, null],
      ["@3", 3, null],
      [":prod", null, "prod"],
    ] as const) {
      const read = presetReference(referenceFields(reference, { ...options, target }));
      expect(read).toEqual({
        reference: { slug: "support", version, label },
        model: reference === "model" ? undefined : "sandbox/echo",
        issues: [],
      });
    }
  });
});

describe("snippet", () => {
  it.each(LANGUAGES)("includes every reference field in %s and reads the key from the environment", (language) => {
    for (const reference of REFERENCES) {
      const text = snippet(language, reference, { ...options, target: "@2" });
      for (const value of Object.values(referenceFields(reference, { ...options, target: "@2" })))
        expect(text).toContain(JSON.stringify(value));
      expect(text).toContain("https://box.example/v1");
      expect(text).toContain("SIGNALBOX_API_KEY");
    }
  });

  it("writes a JSON body for curl", () => {
    const body = /-d '(.*)'$/.exec(snippet("curl", "field", options))?.[1] ?? "";
    expect(JSON.parse(body)).toEqual({ model: "sandbox/echo", preset: "support", input: "Hello" });
  });
});
