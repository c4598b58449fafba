import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { parse } from "yaml";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";

const run = promisify(execFile);

/** Shell examples that aren't run, with the reason, by document and first line. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "README.md: npm ci --omit=dev && npm start": "installs into a fresh clone; e2e/process/start.spec.ts starts a server",
  "README.md: npm ci && npm test": "this is the test",
  "docs/configuration.md: node --env-file=.env --max-semi-space-size=64 lib/server/start.mjs":
    "doesn't end; e2e/process/start.spec.ts starts a server",
  "CONTRIBUTING.md: npm ci": "the checks and tests themselves",
  "docs/observability.md: OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.example:4318 npm start":
    "doesn't end; lib/server/trace.alone.test.ts exports",
  "docs/deployment.md: docker build -t registry.example/signalbox:0.2.0 .":
    "needs Docker; lib/check/container.mjs checks the files",
  "docs/deployment.md: kubectl create secret generic signalbox \\": "needs a cluster; a unit test renders the chart",
  "docs/deployment.md: cd docs/deployment/compose": "needs Docker; lib/check/container.mjs checks the files",
  "docs/runbook.md: npm run backup -- --to /backups/2026-11-23":
    "writes to /backups; lib/platform/database/backup/backup.alone.test.ts backs up and restores",
  "docs/runbook.md: mkdir -m 700 .signalbox-new && cp .signalbox/secret-key .signalbox-new/":
    "needs a data folder of version 0.2; lib/platform/database/backup/backup.alone.test.ts restores one",
  "docs/reconciliation.md: export SIGNALBOX_URL=https://signalbox.example SIGNALBOX_API_KEY=sb-mgmt-v1-…":
    "reads exports of vendors; lib/cli/reconcile.test.ts has some",
};
/** Commands within examples that aren't run, with the reason. */
const COMMANDS_NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm run demo .*$/gm, "takes minutes, and is for trying out"],
];

interface Example {
  document: string;
  language: string;
  text: string;
}

const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...readdirSync("docs").map((name) => `docs/${name}`)];
const examples: Example[] = documents
  .filter((path) => path.endsWith(".md"))
  .flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
      ([, language = "", text = ""]) => ({ document, language, text }),
    ),
  );
const nameOf = ({ document, text }: Example) => `${document}: ${text.split("\n", 1)[0]}`;
const scripts = examples.filter(({ language }) => language === "sh");
const isRun = (example: Example) => !(nameOf(example) in NOT_RUN);

test("every example that isn't run exists", () => {
  const names = scripts.map(nameOf);
  for (const name of Object.keys(NOT_RUN)) expect(names).toContain(name);
  for (const [command, reason] of COMMANDS_NOT_RUN)
    expect(
      scripts.some(({ text }) => text.search(command) >= 0),
      reason,
    ).toBe(true);
  expect(scripts.filter(isRun).length).toBeGreaterThan(12);
});

test("examples of data are well-formed", () => {
  for (const { document, language, text } of examples) {
    if (language === "json") expect(() => JSON.parse(text) as unknown, `${document}\n${text}`).not.toThrow();
    if (language === "yaml") expect(() => parse(text) as unknown, `${document}\n${text}`).not.toThrow();
  }
});

/** Ids of objects created for an example. */
type Made = Readonly<Record<string, string>>;

test("examples in shell do what their documents say", async ({ own }) => {
  const { url } = await own.start();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-examples-"));
  const call = async <T>(method: string, path: string, body?: object, key = MANAGEMENT_KEY): Promise<T> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text) as T;
  };
  interface Entry {
    data: { id: string; hash: string };
  }
  let count = 0;
  const guardrail = async (): Promise<Made> => {
    const filters = [{ slug: "email", action: "redact" }];
    const { data } = await call<Entry>("POST", "/guardrails", {
      name: `Example ${(count += 1)}`,
      content_filter_builtins: filters,
    });
    return { ID: data.id, GUARDRAIL: data.id };
  };
  const key = async (): Promise<Made & { HASH: string; text: string; user: string }> => {
    const made = await call<Entry & { key: string; data: { created_by?: string; creator_user_id?: string } }>(
      "POST",
      "/keys",
      { name: `Example ${(count += 1)}`, kind: "inference" },
    );
    return { HASH: made.data.hash, text: made.key, user: made.data.creator_user_id ?? "" };
  };
  const generation = async (): Promise<Made> => {
    const { HASH, text, user } = await key();
    const { id } = await call<{ id: string }>(
      "POST",
      "/chat/completions",
      { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] },
      text,
    );
    return { ID: id, GENERATION: id, HASH, USER_ID: user };
  };
  /** Functions that create the objects for a document's examples, and return the values of their placeholders. */
  const prepared: Readonly<Record<string, () => Promise<Made>>> = {
    "docs/content-access.md": generation,
    "docs/re-evaluation.md": generation,
    "docs/coverage.md": key,
    "docs/models.md": async () => {
      const slug = `twin-${(count += 1)}`;
      await call("POST", "/providers", { slug, name: "Twin", base_url: "http://127.0.0.1:9/v1" });
      await call("POST", "/models", {
        slug: `${slug}/gpt-5`,
        endpoints: [{ provider: slug, upstream_model: "gpt-5" }],
      });
      return { "openai2%2Fgpt-5": `${slug}%2Fgpt-5` };
    },
    "docs/exceptions.md": async () => {
      const [{ HASH }, { GUARDRAIL = "" }] = [await key(), await guardrail()];
      const lift = { kind: "lift_rule", guardrail_id: GUARDRAIL, field: "content_filter_builtins", rule: "email" };
      await call("POST", `/guardrails/${GUARDRAIL}/assignments/keys`, { key_hashes: [HASH, (await key()).HASH] });
      const until = new Date(Date.now() + 86_400_000).toISOString();
      const other = (await key()).HASH;
      await call("POST", `/guardrails/${GUARDRAIL}/assignments/keys`, { key_hashes: [other] });
      const { data } = await call<Entry>("POST", "/exceptions", {
        ...lift,
        key_hash: other,
        reason: "Example",
        expires_at: until,
      });
      return { HASH, GUARDRAIL, ID: data.id, "2026-12-01T18:00:00Z": until };
    },
    "docs/presets.md": async () => {
      const messages = [{ role: "user", content: "Hello" }];
      for (const temperature of [0.1, 0.2, 0.3])
        await call("POST", "/presets/support/chat/completions", { model: "sandbox/echo", messages, temperature });
      return {};
    },
    "docs/roles.md": async () => {
      const role = await call<Entry>("POST", "/organization/roles", { name: `R${(count += 1)}`, permissions: [] });
      const workspace = await call<Entry>("POST", "/workspaces", { name: `W${count}` });
      const email = `example-${count}@example.com`;
      const member = await call<Entry>("POST", "/organization/members", { email, role: "org:member" });
      return { ROLE: role.data.id, WORKSPACE: workspace.data.id, USER_ID: member.data.id };
    },
    "docs/revisions.md": async () => {
      const made = await guardrail();
      for (const limit_usd of [10, 20]) await call("PATCH", `/guardrails/${made["ID"]}`, { limit_usd });
      return made;
    },
    "docs/workload-identities.md": async () => {
      const { HASH } = await key();
      const { publicKey, privateKey } = await generateKeyPair("ES256");
      const [issuer, audience, sub] = [`https://ci-${(count += 1)}.example`, "signalbox", "repo:acme/app"];
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] };
      await call("POST", `/keys/${HASH}/workload-identities`, { name: "CI", issuer, audience, claims: { sub }, jwks });
      const token = new SignJWT({ iss: issuer, aud: audience, sub }).setProtectedHeader({ alg: "ES256" });
      return { HASH, TOKEN: await token.setIssuedAt().setExpirationTime("5m").sign(privateKey) };
    },
    "docs/scim.md": async () => {
      const member = async () =>
        (
          await call<Entry>("POST", "/organization/members", {
            email: `m-${(count += 1)}@example.com`,
            role: "org:member",
          })
        ).data.id;
      return { FROM: await member(), TO: await member() };
    },
    "docs/webhooks.md": async () => {
      const webhook = { url: "https://hooks.example.com/earlier", events: ["budget.threshold_reached"] };
      return { ID: (await call<Entry>("POST", "/webhooks", webhook)).data.id };
    },
    "docs/alerts.md": async () => {
      const slack_url = "https://hooks.slack.com/services/earlier";
      const alert = { name: "Earlier", kind: "error_rate", threshold: 5, slack_url };
      return { ID: (await call<Entry>("POST", "/alerts", alert)).data.id };
    },
    "docs/exports.md": async () => {
      const otlp = { url: "http://127.0.0.1:9/v1/traces" };
      const destination = { name: "Earlier", kind: "otlp", enabled: false, otlp };
      return { ID: (await call<Entry>("POST", "/export-destinations", destination)).data.id };
    },
  };

  const failures: string[] = [];
  try {
    for (const example of scripts.filter(isRun)) {
      const made = await (prepared[example.document] ?? guardrail)();
      let text = example.text
        .replaceAll("sb-mgmt-v1-…", MANAGEMENT_KEY)
        .replaceAll("sk-…", "sk-example")
        .replaceAll("whsec_…", `whsec_${Buffer.alloc(32, 1).toString("base64")}`)
        .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/signalbox\.example/g, url)
        .replaceAll(/\bpolicy\.yaml/g, join(folder, "policy.yaml"));
      for (const [command] of COMMANDS_NOT_RUN) text = text.replace(command, "");
      for (const [placeholder, value] of Object.entries(made))
        if (!/^\w+$/.test(placeholder)) text = text.replaceAll(placeholder, value);
      const ids = Object.fromEntries(Object.entries(made).filter(([name]) => /^[A-Z_]+$/.test(name)));
      // An error status fails the example, like an error of the command-line tool.
      const script = `set -e\ncurl() { command curl --fail-with-body --silent --show-error "$@"; echo; }\n${text}`;
      // Without the start file of this machine's shell.
      const env = { ...process.env, BASH_ENV: "", KEY: MANAGEMENT_KEY, ...ids };
      await run("bash", ["-c", script], { env }).catch((error: unknown) => {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        failures.push(`${example.document}\n${text}\n${stdout}\n${stderr}`);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(failures).toEqual([]);
});
