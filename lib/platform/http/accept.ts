import type { Env } from "../env";
import { invalid, notFound } from "../api-error";
import type { Inspect } from "./inspected";
import { toIssues } from "./issues";
import type { Input, Operation } from "./operation";
import { assertStorable, readJsonObject } from "./request-body";

/** Validates path, query and body against the operation's contract; throws one 400 with every problem. */
export async function accept<O extends Operation>(
  operation: O,
  request: Request,
  routeParams: Record<string, string>,
  settings: Env,
  inspect: Inspect = () => [],
): Promise<{ input: Input<O>; raw: Record<string, unknown> | undefined }> {
  const search = [...new URL(request.url).searchParams];
  assertStorable([...search, ...Object.entries(routeParams)]);
  const raw = operation.body ? await readJsonObject(request, settings.maxBodyBytes) : undefined;
  const params = operation.params?.safeParse(routeParams);
  if (params?.error && operation.invalidParams !== 400) throw notFound();
  const query = operation.query?.safeParse(groupRepeated(search));
  const body = operation.body?.safeParse(raw);
  const issues = [params, query, body].flatMap(
    (parsed) => parsed?.error?.issues.flatMap((issue) => toIssues(issue)) ?? [],
  );
  const all = [...issues, ...(raw ? inspect(raw, settings) : [])];
  if (all.length > 0) throw invalid(all);
  return { input: { params: params?.data, query: query?.data, body: body?.data } as Input<O>, raw };
}

/** Groups repeated parameters: `?status=a&status=b` becomes `{status: ["a", "b"]}`; single ones stay strings. */
function groupRepeated(search: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const grouped = new Map<string, string[]>();
  for (const [name, value] of search) grouped.set(name, [...(grouped.get(name) ?? []), value]);
  return Object.fromEntries(
    [...grouped].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}
