import { expect, it } from "vitest";
import { parse } from "yaml";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { TOKEN_EXCHANGE } from "@/lib/records/workload-identities/vocabulary";
import { platformOf, PLATFORMS } from "./platforms";
import { workloadCode } from "./workload-code";

const ORIGIN = "https://box.example";
const AUDIENCE = "https://audience.example";

const identity = (issuer: string, sub: string, audience = AUDIENCE): WorkloadIdentity => ({
  id: "01980000-0000-7000-8000-000000000001",
  key_hash: "0".repeat(64),
  name: "Deployments",
  issuer,
  audience,
  claims: { sub },
  jwks: null,
  lifetime_seconds: 900,
  last_used_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
});

const IDENTITIES = [
  ["github", PLATFORMS.github.issuer, "repo:acme/*"],
  ["github", "https://github.acme.example/_services/token", "repo:acme/app:ref:refs/heads/main"],
  ["gitlab", PLATFORMS.gitlab.issuer, "project_path:acme/app:*"],
  ["gitlab", "https://git.acme.example", "project_path:acme/app:*"],
  ["kubernetes", "https://kubernetes.default.svc.cluster.local", "system:serviceaccount:prod:app"],
  ["other", "https://ci.example", "robot-7"],
] as const;

it.each(IDENTITIES)("has the endpoint, the grant type and the audience for %s at %s", (platform, issuer, sub) => {
  const one = identity(issuer, sub);
  expect(platformOf(one)).toBe(platform);
  const text = workloadCode(one, ORIGIN)
    .map((code) => code.text)
    .join("\n");
  for (const part of [`${ORIGIN}/v1/oauth/token`, TOKEN_EXCHANGE, AUDIENCE]) expect(text).toContain(part);
});

const codeOf = (platform: "github" | "gitlab" | "kubernetes", audience?: string): unknown =>
  parse(
    workloadCode(identity(PLATFORMS[platform].issuer, PLATFORMS[platform].subject ?? "", audience), ORIGIN)[0]?.text ??
      "",
  );

it("asks GitHub for a token, hides the key in the log, and passes it to later steps", () => {
  const { permissions, steps } = codeOf("github", "it's") as { permissions: object; steps: [{ run: string }] };
  expect(permissions).toHaveProperty("id-token", "write");
  const { run } = steps[0];
  for (const part of [
    "$ACTIONS_ID_TOKEN_REQUEST_URL",
    `'audience=it'\\''s'`,
    "::add-mask::$key",
    "SIGNALBOX_API_KEY=$key",
  ])
    expect(run).toContain(part);
});

it("has the audience of tokens of GitLab and Kubernetes", () => {
  expect(codeOf("gitlab", "#1")).toMatchObject({ job: { id_tokens: { SIGNALBOX_TOKEN: { aud: "#1" } } } });
  expect(codeOf("kubernetes", "#1")).toMatchObject({
    spec: { volumes: [{ projected: { sources: [{ serviceAccountToken: { path: "token", audience: "#1" } }] } }] },
  });
});
