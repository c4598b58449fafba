import { describe, expect, it } from "vitest";
import { TEST_SETTINGS } from "../../testing/context";
import { namesOf, openCredentials, sealCredentials } from "./credential-rows";

const identity = { organizationId: "org", id: "row" };
const given = {
  api_key: "sk-secret",
  credentials: { access_key_id: "AKIDsecret" },
  headers: { "X-Key": "also-secret" },
};

/** Returns encrypted columns. */
function stored(
  changes: {
    id?: string;
    organizationId?: string;
    apiKeyCiphertext?: string | null | undefined;
    credentials?: Record<string, string> | null;
    headers?: Record<string, string> | null;
  } = {},
) {
  const { apiKeyCiphertext, credentials, headers } = sealCredentials(TEST_SETTINGS, identity, given);
  return {
    ...identity,
    credentials: credentials as Record<string, string> | null,
    headers: headers as Record<string, string> | null,
    ...changes,
    apiKeyCiphertext: changes.apiKeyCiphertext === undefined ? (apiKeyCiphertext ?? null) : changes.apiKeyCiphertext,
  };
}
const sealedHeader = stored().headers?.["x-key"] ?? "";

describe("credentials of a provider", () => {
  it("round-trip, without appearing in the columns", () => {
    expect(openCredentials(TEST_SETTINGS, stored())).toEqual({
      apiKey: "sk-secret",
      named: { access_key_id: "AKIDsecret" },
      headers: { "x-key": "also-secret" },
    });
    expect(JSON.stringify(stored())).not.toMatch(/secret/);
    expect(namesOf(stored().headers)).toEqual(["x-key"]);
    expect(namesOf(stored().credentials)).toEqual(["access_key_id"]);
  });

  it("are left unchanged, cleared or stored, according to the body", () => {
    expect(sealCredentials(TEST_SETTINGS, identity, {})).toEqual({
      apiKeyCiphertext: undefined,
      credentials: undefined,
      headers: undefined,
    });
    expect(sealCredentials(TEST_SETTINGS, identity, { api_key: null, credentials: null, headers: null })).toEqual({
      apiKeyCiphertext: null,
      credentials: null,
      headers: null,
    });
    expect(
      openCredentials(TEST_SETTINGS, stored({ apiKeyCiphertext: null, credentials: null, headers: null })),
    ).toEqual({
      apiKey: null,
      named: {},
      headers: {},
    });
  });

  it.each([
    ["another row", { id: "other" }],
    ["another organization", { organizationId: "other" }],
    ["another header", { headers: { "x-other": sealedHeader } }],
    ["another credential", { credentials: { session_token: stored().credentials?.["access_key_id"] ?? "" } }],
    ["a header instead of the key", { apiKeyCiphertext: sealedHeader }],
  ])("can't be decrypted in %s", (_, changes) =>
    expect(() => openCredentials(TEST_SETTINGS, stored(changes))).toThrow(),
  );

  it("can be decrypted after a rotation while the previous secret is configured", () => {
    const rotated = { ...TEST_SETTINGS, secretKey: Buffer.alloc(32, 8), previousSecretKeys: [TEST_SETTINGS.secretKey] };
    expect(openCredentials(rotated, stored()).apiKey).toBe("sk-secret");
  });

  it("encrypted with another secret report the required one", () => {
    expect(() => openCredentials({ ...TEST_SETTINGS, secretKey: Buffer.alloc(32, 8) }, stored())).toThrow(
      /encrypted with the secret [0-9a-f]{12}/,
    );
  });
});
