import { z } from "zod";
import type { Env } from "../env";
import { invalid, notFound, type Issue } from "../api-error";
import type { ApiRequest } from "./api-request";
import type { Inspect } from "./inspected";
import type { Input, Operation } from "./operation";
import { ofPresentFields } from "./present-fields";
import { assertStorable, bodyBounds, readJsonObject } from "./request-body";
import { validate } from "./validate";

/** Validates path, query and body against the operation's contract; throws one 400 with every problem. */
export async function accept<O extends Operation>(
  operation: O,
  request: ApiRequest,
  routeParams: Record<string, string>,
  settings: Env,
  inspect: Inspect = () => [],
): Promise<{ input: Input<O>; raw: Record<string, unknown> | undefined }> {
  const search = request.url.includes("?") ? [...new URL(request.url).searchParams] : [];
  assertStorable([...search, ...Object.entries(routeParams)]);
  const raw = operation.body
    ? await readJsonObject(request, bodyBounds(operation.bodySize ?? "small", settings.maxBodyBytes), {
        isOptional: operation.bodyOptional ?? false,
        mayBeForm: operation.form ?? false,
        withNul: operation.withNul ?? [],
        mediaType: operation.mediaType,
      })
    : undefined;
  const params = operation.params && validate(operation.params, routeParams);
  if (params && params.issues.length > 0 && operation.invalidParams !== 400) throw notFound();
  const query = operation.query && validate(operation.query, groupRepeated(search));
  const body = operation.body && validate(raw ? ofPresentFields(operation.body, raw) : operation.body, raw);
  const issues = [
    ...unknownParameters(operation, search),
    ...(params?.issues ?? []),
    ...(query?.issues ?? []),
    ...(body?.issues ?? []),
    ...(raw ? inspect(raw, settings) : []),
  ];
  if (issues.length > 0) throw invalid(issues);
  return {
    input: { params: params?.data, query: query?.data, body: passed(operation, raw, body?.data) } as Input<O>,
    raw,
  };
}

/** Returns the validated body; for a body that is passed on, the caller's own with the validated values that aren't objects or lists. */
function passed({ passesBody }: Operation, raw: Record<string, unknown> | undefined, data: unknown): unknown {
  if (!passesBody) return data;
  const validated = data as Record<string, unknown>;
  const body = { ...validated, ...raw };
  for (const name in body) if (body[name] === null || typeof body[name] !== "object") body[name] = validated[name];
  return body;
}

/** Reports query parameters that the operation doesn't have, so that a mistyped filter isn't ignored. */
function unknownParameters({ query }: Operation, search: readonly (readonly [string, string])[]): Issue[] {
  if (search.length === 0 || (query instanceof z.ZodObject && query.def.catchall instanceof z.ZodUnknown)) return [];
  const known = query instanceof z.ZodObject ? query.shape : {};
  const names = [...new Set(search.map(([name]) => name))].filter((name) => !Object.hasOwn(known, name));
  return names.map((name) => ({ path: [name], message: "unknown query parameter", code: "unrecognized_keys" }));
}

/** Groups repeated parameters: `?status=a&status=b` becomes `{status: ["a", "b"]}`; single ones stay strings. */
function groupRepeated(search: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const grouped = new Map<string, string[]>();
  for (const [name, value] of search) grouped.set(name, [...(grouped.get(name) ?? []), value]);
  return Object.fromEntries(
    [...grouped].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}
