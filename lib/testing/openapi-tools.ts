// npm run test:openapi: the OpenAPI document passes Spectral, and clients generated from it compile, with one type for
// each response.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createClient } from "@hey-api/openapi-ts";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { parse } from "yaml";
import { document } from "../server/docs/service";

/** Folder from which a generated file finds the packages of this project. */
const folder = join(process.cwd(), ".next", "generated-clients");

const PROGRAMS = {
  "openapi-typescript.ts": `
    import type { paths } from "./schema";
    type Answer<P extends keyof paths, M extends keyof paths[P], S extends number, T extends string = "application/json"> =
      paths[P][M] extends { responses: Record<S, { content: Record<T, infer Body> }> } ? Body : never;
    type Completion = Answer<"/chat/completions", "post", 200>;
    type Chunk = Answer<"/chat/completions", "post", 200, "text/event-stream">;
    type ResponseEvent = Answer<"/responses", "post", 200, "text/event-stream">;
    export const listed = (list: Answer<"/guardrails", "get", 200>): string[] => list.data.map(({ name }) => name);
    export const created = (one: Answer<"/guardrails", "post", 201>): string => one.data.id;
    export const whole = ({ choices, usage }: Completion): [number, number | undefined] => [choices.length, usage?.cost];
    export const streamed = ({ choices }: Chunk): unknown[] => choices.map(({ delta }) => delta.content);
    export const event = (one: ResponseEvent): string | null =>
      one.type === "response.output_text.delta" ? one.delta : one.type === "response.completed" ? one.response.id : null;
    export const headers = (
      all: paths["/chat/completions"]["post"]["responses"][200]["headers"],
    ): string | undefined => all["X-Generation-Id"];
    // The check fails if a generated client types a whole response as a string again.
    // @ts-expect-error a response isn't a text
    export const text = (completion: Completion): string => completion;
  `,
  "openapi-ts.ts": `
    import { createChatCompletion, createGuardrail, getMetrics, listGuardrails } from "./client/sdk.gen";
    import type { ChatCompletion, ChatCompletionChunk, ResponseEvent } from "./client/types.gen";
    export async function run(): Promise<string[]> {
      const { data: list } = await listGuardrails({ throwOnError: true });
      const { data: guardrail } = await createGuardrail({ body: { name: "Production" }, throwOnError: true });
      const body = { model: "sandbox/echo", messages: [{ role: "user" as const, content: "Hello" }] };
      const { data: whole } = await createChatCompletion({ body, throwOnError: true });
      const completion: ChatCompletion = whole;
      const { data: metrics } = await getMetrics({ throwOnError: true });
      return [...list.data.map(({ name }) => name), guardrail.data.id, completion.id, metrics];
    }
    export const streamed = ({ choices }: ChatCompletionChunk): unknown[] => choices.map(({ delta }) => delta.content);
    export const event = (one: ResponseEvent): string | null =>
      one.type === "response.output_text.delta" ? one.delta : null;
  `,
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const description = join(folder, "openapi.json");
const text = JSON.stringify(await document());
writeFileSync(description, text);

const { rules } = parse(readFileSync(".spectral.yaml", "utf8")) as { rules: Record<string, "off"> };
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition], rules });
const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
for (const { code, message, path } of problems)
  process.stdout.write(`.spectral.yaml: ${code}: ${message} ${path.join("/")}\n`);

writeFileSync(join(folder, "schema.ts"), astToString(await openapiTS(JSON.parse(text) as OpenAPI3)));
await createClient({
  input: description,
  output: join(folder, "client"),
  logs: { level: "silent" },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
});
for (const [name, program] of Object.entries(PROGRAMS)) writeFileSync(join(folder, name), program);

const program = ts.createProgram(
  Object.keys(PROGRAMS).map((name) => join(folder, name)),
  {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  },
);
const diagnostics = ts.getPreEmitDiagnostics(program);
const host = {
  getCanonicalFileName: (name: string) => name,
  getCurrentDirectory: () => folder,
  getNewLine: () => "\n",
};
process.stdout.write(ts.formatDiagnostics(diagnostics, host));
process.stdout.write(
  `${problems.length} problems of the document, ${diagnostics.length} of ${Object.keys(PROGRAMS).length} generated clients\n`,
);
process.exitCode = diagnostics.length + problems.length > 0 ? 1 : 0;
