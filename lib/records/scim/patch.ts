import { asObject, isJsonObject } from "../../platform/json-values";
import { knownValue, parsePath, type AttributePath, type ResourceType } from "./attributes";
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

/** Returns a step for each attribute of a value without a path, whose names may be paths: `name.givenName` (Entra ID). */
function stepsOfValue(type: ResourceType, op: Step["op"], value: unknown): Step[] {
  if (!isJsonObject(value))
    throw scimError(400, "invalidSyntax", "An operation without a path needs an object as value");
  return Object.entries(value).flatMap(([path, part]) => {
    // Unknown attributes and those that only Signalbox sets, such as `id`, are ignored.
    const known = parsePath(type, path);
    return known === null || known === "ignored" ? [] : stepsOf(type, op, known, part);
  });
}

/** Returns a step for each part of a name, because its other parts stay; else one step. */
function stepsOf(type: ResourceType, op: Step["op"], path: AttributePath, value: unknown): Step[] {
  const known = knownValue(type, path, value);
  if (path.attribute !== "name" || path.part !== null) return [{ op, path, value: known }];
  const parts = op === "remove" || known === null ? { givenName: null, familyName: null } : known;
  if (!isJsonObject(parts)) return [{ op, path, value: parts }];
  return Object.entries(parts).map(([part, text]) => ({ op, path: { ...path, part }, value: text }));
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

/** Returns the attributes that steps change, with their new values: null for what is removed. A name has only its changed parts. */
export function changedAttributes(steps: readonly Step[]): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const { op, path, value } of steps) {
    const { attribute, filter, part } = path;
    if (filter !== null) throw scimError(400, "invalidPath", `A path to ${attribute} can't have a filter`);
    const next = op === "remove" ? null : value;
    changed[attribute] = part === null ? next : { ...asObject(changed[attribute]), [part]: next };
  }
  return changed;
}
