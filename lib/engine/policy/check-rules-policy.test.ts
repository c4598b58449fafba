import { describe, expect, it } from "vitest";
import { layerOf } from "../../testing/layers";
import { checkIdentity, checkRules } from "./check-rules-policy";

const URL_A = "https://a.example/check";
const URL_B = "https://b.example/check";
const scopes = (layers: Parameters<typeof checkRules>[0]) =>
  checkRules(layers).map(
    ({ name, url, format, timeoutMs, sources }) =>
      `${name} ${url} ${format} ${timeoutMs} ${sources.map(({ scope }) => scope).join("+")}`,
  );

describe("checkRules", () => {
  it("without checks is empty", () => expect(checkRules([layerOf(), layerOf({ external_checks: [] })])).toEqual([]));

  it("fills in defaults, and keeps the order of the layers", () =>
    expect(
      scopes([
        layerOf({ external_checks: [{ name: "one", url: URL_A }] }),
        layerOf({ external_checks: [{ name: "two", url: URL_B, timeout_ms: 100 }] }, "key"),
      ]),
    ).toEqual([`one ${URL_A} signalbox 5000 workspace`, `two ${URL_B} signalbox 100 key`]));

  it("calls an endpoint that several layers name once, with the shortest deadline and every layer as its source", () =>
    expect(
      scopes([
        layerOf({ external_checks: [{ name: "one", url: URL_A, timeout_ms: 9000 }] }),
        layerOf({ external_checks: [{ name: "other", url: URL_A, timeout_ms: 300 }] }, "member"),
        layerOf({ external_checks: [{ name: "third", url: URL_A, timeout_ms: 800 }] }, "key"),
      ]),
    ).toEqual([`one ${URL_A} signalbox 300 workspace+member+key`]));

  it("calls one endpoint twice for two formats", () =>
    expect(
      scopes([
        layerOf({
          external_checks: [
            { name: "one", url: URL_A },
            { name: "two", url: URL_A, format: "litellm" },
          ],
        }),
      ]),
    ).toEqual([`one ${URL_A} signalbox 5000 workspace`, `two ${URL_A} litellm 5000 workspace`]));

  it("uses the broadest layer's secret: stored, of a draft, or none for null", () => {
    const secrets = { checkSecrets: { guardrailId: "g", values: { one: "sealed" } } };
    const stored = { ...layerOf({ external_checks: [{ name: "one", url: URL_A }] }, "key"), ...secrets };
    const secretOf = (...layers: Parameters<typeof checkRules>[0][number][]) => checkRules(layers)[0]?.secret;
    expect(secretOf(stored)).toEqual({ guardrailId: "g", name: "one", ciphertext: "sealed" });
    expect(secretOf(layerOf({ external_checks: [{ name: "x", url: URL_A }] }), stored)).toMatchObject({ name: "one" });
    expect(
      secretOf({ ...stored, ...layerOf({ external_checks: [{ name: "one", url: URL_A, secret: "typed in" }] }) }),
    ).toEqual({
      plain: "typed in",
    });
    expect(secretOf({ ...stored, ...layerOf({ external_checks: [{ name: "one", url: URL_A, secret: null }] }) })).toBe(
      null,
    );
  });

  it("identifies a check by its URL and format alone", () => {
    const identity = checkIdentity({ url: URL_A, format: "signalbox" });
    expect(identity).toMatch(/^endpoint:[\w-]{22}$/);
    expect(identity).not.toBe(checkIdentity({ url: URL_A, format: "litellm" }));
    expect(identity).not.toBe(checkIdentity({ url: URL_B, format: "signalbox" }));
  });
});
