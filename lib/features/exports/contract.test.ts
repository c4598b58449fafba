import { expect, it } from "vitest";
import { CreateExportBody } from "./contract";

it.each([
  [{ kind: "otlp" }, ["otlp"]],
  [{ kind: "s3_jsonl", otlp: { url: "https://x.example" } }, ["s3", "otlp"]],
  [{ kind: "otlp", otlp: { url: "https://x.example", headers: { Host: "y" } } }, ["otlp.headers.Host"]],
  [{ kind: "otlp", otlp: { url: "https://x.example", signals: ["traces", "logs"] } }, ["otlp.url"]],
  [{ kind: "otlp", otlp: { url: "https://x.example", signals: [] } }, ["otlp.signals"]],
  [{ kind: "otlp", otlp: { url: "https://x.example/v1/logs", signals: ["logs", "logs"] } }, ["otlp.signals"]],
])("%j has problems in %j", (body, paths) => {
  const { error } = CreateExportBody.safeParse({ name: "E", ...body });
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(paths);
});
