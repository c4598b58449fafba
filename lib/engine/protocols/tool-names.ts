import type { ResponsesBody } from "./contracts/responses-request-contract";
import { asObjects, asText } from "../../platform/json-values";

/** True for tools that Chat Completions and Responses define alike, with a prefix in their type. */
export const isServiceTool = (type: string): boolean => /^(?:service|openrouter):/.test(type);

/** Returns the name of a namespace's function for upstreams without namespaces. */
export const namespacedName = (namespace: string | null, name: string): string =>
  namespace ? `${namespace}${namespace.endsWith("__") ? "" : "__"}${name}` : name;

/** A function's name and its namespace. */
interface NamespacedTool {
  namespace: string;
  name: string;
}

/** Returns the functions of a request's namespaces by their names at upstreams without namespaces. */
export function namespacedTools({ tools }: ResponsesBody): ReadonlyMap<string, NamespacedTool> {
  return new Map(
    asObjects(tools).flatMap(({ type, name: namespace, tools: inner }) =>
      type === "namespace" && typeof namespace === "string"
        ? asObjects(inner).flatMap((tool): [string, NamespacedTool][] => {
            const name = asText(tool["name"]);
            return name === null ? [] : [[namespacedName(namespace, name), { namespace, name }]];
          })
        : [],
    ),
  );
}

/** Maximum length of a tool's name in chat completions. */
export const MAX_NAME = 64;
