import { expect, it } from "vitest";
import { describeFailure, ProviderProblem } from "./problem";

const failure = (code: string, claim?: string, message = "m") =>
  Object.assign(new Error("outer"), {
    code,
    cause: Object.assign(new Error(message), { code, cause: claim === undefined ? undefined : { claim } }),
  });

it.each([
  [failure("OAUTH_JWT_CLAIM_COMPARISON_FAILED", "aud"), "another audience"],
  [failure("OAUTH_JWT_CLAIM_COMPARISON_FAILED", "acr"), "unexpected acr"],
  [failure("OAUTH_JWT_TIMESTAMP_CHECK_FAILED", "exp"), "has expired"],
  [failure("OAUTH_KEY_SELECTION_FAILED"), "a key that the provider doesn't publish"],
  [failure("OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"), "another issuer or person"],
  [
    failure("OAUTH_INVALID_RESPONSE", undefined, "JWT signature verification failed"),
    "JWT signature verification failed",
  ],
  [
    { error: "invalid_scope", error_description: "no such scope" },
    "The provider answered invalid_scope: no such scope",
  ],
  [{ error: "invalid_client" }, "Check the client ID"],
  [failure("OAUTH_WWW_AUTHENTICATE_CHALLENGE"), "Check the client ID"],
  [{ error: "x".repeat(1000) }, `${"x".repeat(300)}…`],
])("describes %#", (error, expected) => {
  expect(describeFailure(error)).toContain(expected);
});

it("can be stored, whatever the provider sent", () => {
  expect(new ProviderProblem(`a\0b${"x".repeat(2000)}`).message).toMatch(/^a\ufffdbx{997}$/);
});

it.each([new Error("ours"), null, "text"])("leaves %s to others", (error) => {
  expect(describeFailure(error)).toBeNull();
});
