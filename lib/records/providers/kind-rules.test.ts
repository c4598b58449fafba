import { describe, expect, it } from "vitest";
import { changedKindIssues, kindIssues } from "./kind-rules";

const problems = (body: object) => kindIssues(body as Record<string, unknown>).map(({ path }) => path.join("."));

describe("kindIssues", () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ protocol: "responses" }, []],
    [{ protocol: "messages" }, ["protocol"]],
    [{ settings: { region: "eu-west-1" } }, ["settings.region"]],
    [{ kind: "anthropic" }, []],
    [{ kind: "anthropic", protocol: "messages" }, []],
    [{ kind: "anthropic", protocol: "chat_completions" }, ["protocol"]],
    [{ kind: "azure", settings: { api_version: "2024-10-21" } }, []],
    [{ kind: "azure", settings: null }, []],
    [{ kind: "azure", settings: { project: "p" }, protocol: "converse" }, ["protocol", "settings.project"]],
    [{ kind: "azure", credentials: { access_key_id: "a" } }, ["credentials.access_key_id"]],
    [{ kind: "nobody", settings: 5 }, []],
  ])("%j: %j", (body, paths) => expect(problems(body)).toEqual(paths));
});

describe("changedKindIssues", () => {
  const stored = {
    kind: "azure",
    protocol: "chat_completions",
    settings: { api_version: "2024-10-21" },
    has_api_key: true,
    credential_names: [],
  } as const;
  it.each<[object, string[]]>([
    [{ name: "B" }, []],
    [{ settings: { region: "eu-west-1" } }, ["settings.region"]],
    [{ kind: "openai" }, ["settings.api_version"]],
    [{ kind: "openai", settings: null }, []],
    [{ kind: "anthropic", settings: null }, ["protocol"]],
  ])("%j: %j", (changes, paths) =>
    expect(changedKindIssues(stored, changes).map(({ path }) => path.join("."))).toEqual(paths),
  );
});
