import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { BrokenResponse } from "../broken-response";

/** Maximum index of a list and maximum depth of a path. */
const MOST_ENTRIES = 10_000;
const DEEPEST = 100;

type Step = string | number;

/** Arguments of a call that arrive in parts. Each part has a path and a value, or a piece of a text. */
export class PartialArguments {
  #value: unknown = {};
  /** Paths of texts that the next part may continue. */
  readonly #open = new Set<string>();

  /** Adds the arguments of one part of a call. Throws `BrokenResponse` for a path that can't be followed. */
  add({ args, partialArgs }: JsonObject): void {
    const given = asObject(args);
    if (given) this.#value = { ...asObject(this.#value), ...given };
    for (const part of asObjects(partialArgs)) this.#addPart(part);
  }

  get json(): string {
    return JSON.stringify(this.#value);
  }

  #addPart(part: JsonObject): void {
    const path = asText(part["jsonPath"]) ?? "";
    const piece = asText(part["stringValue"]);
    const isContinued = this.#open.has(path);
    if (part["willContinue"] === true) this.#open.add(path);
    else this.#open.delete(path);
    const value = valueOf(part);
    // The last part of a text may have none.
    if (value === undefined && isContinued) return;
    const steps = stepsOf(path);
    this.#value = replaced(this.#value, steps, (before) =>
      piece !== null && isContinued && typeof before === "string" ? before + piece : (value ?? null),
    );
  }
}

function valueOf({ stringValue, numberValue, boolValue, ...part }: JsonObject): unknown {
  if (typeof stringValue === "string") return stringValue;
  if (typeof numberValue === "number") return numberValue;
  if (typeof boolValue === "boolean") return boolValue;
  if ("nullValue" in part) return null;
  return part["willContinue"] === true ? "" : undefined;
}

/** One step of a path: `.name`, `[0]`, `['name']` or `["name"]`. */
const STEP = /\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;

/** Returns the steps of a path such as `$.a.b[0]`. */
function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  if (!path.startsWith("$")) throw notFollowed(path);
  let end = 1;
  for (const [step, name, index, single, double] of path.slice(1).matchAll(STEP)) {
    end += step.length;
    steps.push(index === undefined ? (name ?? unescaped(single ?? double ?? "")) : Number(index));
  }
  if (end !== path.length || steps.length > DEEPEST) throw notFollowed(path);
  return steps;
}

const unescaped = (name: string): string => name.replaceAll(/\\(.)/g, "$1");

/** Returns a copy of the value with a change at a path. */
function replaced(value: unknown, [step, ...rest]: readonly Step[], change: (before: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    if (step > Math.min(list.length, MOST_ENTRIES)) throw notFollowed(`[${step}]`);
    list[step] = replaced(list[step], rest, change);
    return list;
  }
  const object = asObject(value) ?? {};
  const before = Object.hasOwn(object, step) ? object[step] : undefined;
  return Object.fromEntries([...Object.entries(object), [step, replaced(before, rest, change)]]);
}

const notFollowed = (path: string) =>
  new BrokenResponse("The upstream's response has arguments with an unknown path", JSON.stringify({ path }));
