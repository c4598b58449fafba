import { describe, expect, it } from "vitest";
import { checkPolicyFile } from "../../cli/read-file";
import type { PolicyFile } from "./contract";
import { referenceProblems } from "./references";

describe("problems in a file", () => {
  const problems = (text: string) => {
    try {
      checkPolicyFile("p.yaml", text);
      return [];
    } catch (error) {
      return String(error instanceof Error ? error.message : error).split("\n");
    }
  };

  it("are reported all at once, with file, line and column", () => {
    expect(
      problems(`version: 2
providers:
  - slug: Not A Slug
    name: A
    base_url: https://a.example
    api_key: sk-secret
workspaces:
  - slug: lab
    name: Lab
    content_logging: maybe
    guardrails:
      - name: G
        alowed_models: []
`),
    ).toEqual([
      expect.stringMatching(/^p\.yaml:1:1: version: /),
      expect.stringMatching(/^p\.yaml:3:5: providers\.0\.slug: must consist of lowercase/),
      expect.stringMatching(/^p\.yaml:6:5: providers\.0\.api_key: .*object/),
      expect.stringMatching(/^p\.yaml:10:5: workspaces\.0\.content_logging: must be true or false/),
      "p.yaml:13:9: workspaces.0.guardrails.0.alowed_models: unknown field",
    ]);
  });

  it("include filters of alerts that their kind doesn't have, and literal secrets", () => {
    expect(
      problems(`version: 1
alerts:
  - name: Errors
    kind: provider_down
    threshold: 5
    key: { workspace: default, name: nightly }
  - name: Slack
    kind: budget
    threshold: 80
    slack_url: https://hooks.slack.com/services/secret
`),
    ).toEqual([
      "p.yaml:6:5: alerts.0.key: can't be used with provider_down",
      expect.stringMatching(/^p\.yaml:10:5: alerts\.1\.slack_url: .*object/),
    ]);
  });

  it("include YAML syntax errors", () => {
    expect(problems("version: 1\nproviders: [\n")).toEqual([expect.stringMatching(/^p\.yaml:3:1: /)]);
    expect(problems("version: 1\nversion: 1\n")).toEqual([expect.stringMatching(/^p\.yaml:2:1: .*unique/)]);
  });

  it("include duplicates and missing references", () => {
    const file: PolicyFile = {
      version: 1,
      models: [{ slug: "a/b", endpoints: [{ provider: "nobody", price: { prompt: "1", completion: "1" } }] }],
      workspaces: [
        {
          slug: "lab",
          name: "Lab",
          content_logging: true,
          default_guardrail: "Gone",
          guardrails: [{ name: "G" }, { name: "G" }, { name: "G", copy: 3 }],
          keys: [
            { name: "k", guardrail: "G" },
            { name: "x", limit: 1 },
          ],
          members: [{ email: "who@example.com", guardrail: { name: "G", copy: 9 } }],
        },
      ],
      alerts: [
        { name: "A", kind: "budget", threshold: 80, workspace: "lab", guardrail: { workspace: "lab", name: "G" } },
        { name: "A", kind: "budget", threshold: 80, copy: 3, workspace: "gone", key: { workspace: "lab", name: "x" } },
        {
          name: "B",
          kind: "error_rate",
          threshold: 5,
          member: "who@example.com",
          guardrail: { workspace: "lab", name: "Gone" },
          provider: "nobody",
          webhooks: ["Pager"],
        },
      ],
    };
    const found = referenceProblems(file, { has: ({ kind, name }) => kind === "key" && name === "k" });
    expect(found.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
      "models.0.endpoints.0.provider: provider nobody doesn't exist, neither in the file nor on the server",
      "workspaces.0.guardrails.1.name: is a duplicate",
      "workspaces.0.guardrails.2.copy: copy 2 of “G” doesn't exist",
      "workspaces.0.default_guardrail: guardrail “Gone” doesn't exist in workspace lab, neither in the file nor on the server",
      "workspaces.0.members.0.guardrail: guardrail “G”, copy 9 doesn't exist in workspace lab, neither in the file nor on the server",
      "workspaces.0.keys.1.name: inference key “x” doesn't exist in workspace lab: create keys in the console or over the API",
      "workspaces.0.members.0.email: member who@example.com doesn't exist: invite members in the console or over the API",
      "alerts.1.copy: copy 2 of “A” doesn't exist",
      "alerts.1.workspace: workspace gone doesn't exist, neither in the file nor on the server",
      "alerts.1.key: inference key “x” doesn't exist in workspace lab: create keys in the console or over the API",
      "alerts.2.member: member who@example.com doesn't exist: invite members in the console or over the API",
      "alerts.2.guardrail: guardrail “Gone” doesn't exist in workspace lab, neither in the file nor on the server",
      "alerts.2.provider: provider nobody doesn't exist, neither in the file nor on the server",
      "alerts.2.webhooks.0: webhook “Pager” doesn't exist: create webhooks in the console or over the API",
    ]);
  });
});
