import { ScimError, scimPatch, type ScimResource } from "scim-patch";
import { parse } from "scim2-parse-filter";
import { knownValue, parsePath, storedAttributes, type AttributePath, type ResourceType } from "./attributes";
import { scimError } from "./scim-error";

/** An operation as directories send it. */
export interface PatchOperation {
  op: string;
  path?: string | null | undefined;
  value?: unknown;
}

const OPS = ["add", "remove", "replace"] as const;

/** An operation on one stored attribute. */
export interface Step {
  op: (typeof OPS)[number];
  path: AttributePath;
  value: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function assertFilter(path: AttributePath): void {
  if (path.filter === null) return;
  try {
    parse(path.filter);
  } catch (error) {
    throw scimError(400, "invalidFilter", `The filter of ${path.attribute} is invalid: ${(error as Error).message}`);
  }
}

/** Returns a step for each attribute of a value without a path, whose names may be paths: `name.givenName` (Entra ID). */
function stepsOfValue(type: ResourceType, op: Step["op"], value: unknown): Step[] {
  if (!isObject(value)) throw scimError(400, "invalidSyntax", "An operation without a path needs an object as value");
  return Object.entries(value).flatMap(([path, part]) => {
    // Unknown attributes and those that only Signalbox sets, such as `id`, are ignored.
    const known = parsePath(type, path);
    return known === null || known === "ignored" ? [] : stepsOf(type, op, known, part);
  });
}

/** Returns a step for each part of a name, because its other parts stay; else one step. */
function stepsOf(type: ResourceType, op: Step["op"], path: AttributePath, value: unknown): Step[] {
  assertFilter(path);
  const known = knownValue(type, path, value);
  if (path.attribute !== "name" || path.part !== null || op === "remove" || !isObject(known))
    return [{ op, path, value: known }];
  return Object.entries(known).map(([part, text]) => ({ op, path: { ...path, part }, value: text }));
}

/** Returns the steps of a PATCH. Names of operations are case-insensitive, because Entra ID sends `Add` and `Replace`. */
export function stepsOfPatch(type: ResourceType, operations: readonly PatchOperation[]): Step[] {
  return operations.flatMap(({ op: given, path, value }): Step[] => {
    const op = OPS.find((one) => one === given.toLowerCase());
    if (!op) throw scimError(400, "invalidSyntax", `The operation must be one of ${OPS.join(", ")}`);
    if (path === undefined || path === null || path === "") {
      if (op === "remove") throw scimError(400, "noTarget", "A remove operation needs a path");
      return stepsOfValue(type, op, value);
    }
    const parsed = parsePath(type, path);
    if (parsed === null) throw scimError(400, "invalidPath", `The path ${path.slice(0, 200)} is invalid`);
    if (parsed === "ignored") return [];
    if (op !== "remove" && value === undefined)
      throw scimError(400, "invalidSyntax", `The operation ${op} of ${parsed.attribute} needs a value`);
    return stepsOf(type, op, parsed, value);
  });
}

const textOf = ({ attribute, filter, part }: AttributePath): string =>
  attribute + (filter === null ? "" : `[${filter}]`) + (part === null ? "" : `.${part}`);

/** Applies steps to the stored attributes of a resource. */
export function applySteps(
  resource: Readonly<Record<string, unknown>>,
  steps: readonly Step[],
): Record<string, unknown> {
  const operations = steps.map(({ op, path, value }) => ({ op, path: textOf(path), value }));
  try {
    // `scim-patch` reads none of the properties that its type requires; no path leads to them.
    return {
      ...scimPatch(resource as unknown as ScimResource, operations, { mutateDocument: false, treatMissingAsAdd: true }),
    };
  } catch (error) {
    if (error instanceof ScimError)
      throw scimError(400, error.scimCode === "noTarget" ? "noTarget" : "invalidSyntax", error.message);
    if (error instanceof TypeError)
      throw scimError(400, "invalidPath", "The path of an operation doesn't fit the value");
    throw error;
  }
}

/** Returns the attributes that a patched resource asserts: what was removed is null. */
export function patched(
  type: ResourceType,
  before: Readonly<Record<string, unknown>>,
  steps: readonly Step[],
): Record<string, unknown> {
  const after = storedAttributes(type, applySteps(before, steps));
  const removed = Object.keys(before).filter((name) => !(name in after));
  return { ...after, ...Object.fromEntries(removed.map((name) => [name, null])) };
}
