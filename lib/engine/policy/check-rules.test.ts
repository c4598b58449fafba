import { describe, expect, it } from "vitest";
import type { ExternalCheck } from "../checks/contract";
import { layerOf } from "../../testing/layers";
import { checkIdentity, checkRules, type EndpointRule } from "./check-rules";

const URL_A = "https://a.example/check";
const URL_B = "https://b.example/check";
const scopes = (layers: Parameters<typeof checkRules>[0]) =>
  checkRules(layers).map(
    (rule) =>
      `${rule.name} ${rule.field === "judges" ? `${rule.model} ${rule.action}` : `${rule.url} ${rule.format}`} ${rule.timeoutMs} ${rule.sources.map(({ scope }) => scope).join("+")}`,
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
    const secretOf = (...layers: Parameters<typeof checkRules>[0][number][]) =>
      (checkRules(layers)[0] as EndpointRule).secret;
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

  it("asks a judge that several layers name once, with the strongest action and the layers that set it", () => {
    const judge = { name: "tone", model: "a/b", instructions: "No threats" };
    expect(
      scopes([
        layerOf({ judges: [{ ...judge, action: "flag", timeout_ms: 900 }] }),
        layerOf({ judges: [{ ...judge, name: "other", action: "block" }] }, "member"),
        layerOf({ judges: [{ ...judge, action: "block" }] }, "key"),
      ]),
    ).toEqual(["tone a/b block 900 member+key"]);
    expect(
      scopes([
        layerOf({ judges: [{ ...judge, action: "flag" }] }),
        layerOf({ judges: [{ ...judge, threshold: 0.9, action: "flag" }] }, "key"),
      ]),
    ).toHaveLength(2);
  });

  it("identifies a check by its URL and format alone", () => {
    const identityOf = (check: ExternalCheck) =>
      checkRules([layerOf({ external_checks: [check] })]).map(checkIdentity)[0];
    const identity = identityOf({ name: "one", url: URL_A });
    expect(identity).toMatch(/^endpoint:[\w-]{22}$/);
    expect(identity).not.toBe(identityOf({ name: "one", url: URL_A, format: "litellm" }));
    expect(identity).not.toBe(identityOf({ name: "one", url: URL_B }));
  });
});
