type Values = Readonly<Record<string, unknown>>;
type Node = { text: string } | { pipe: string } | { block: string; pipe: string; body: Node[] };

interface Scope {
  dot: unknown;
  root: Values;
  variables: ReadonlyMap<string, unknown>;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === 0 ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

const indent = (spaces: number, text: string) => text.replaceAll(/^/gm, " ".repeat(spaces));

/**
 * Renders the templates of a Helm chart, because Helm isn't available as an npm package. It supports the part of the
 * language that our chart uses, and is stricter than Helm: everything else, and values that don't exist, are errors.
 */
export class HelmTemplate {
  readonly #defined = new Map<string, Node[]>();

  constructor(private readonly toYaml: (value: unknown) => string) {}

  /** Reads the definitions of a helper file. */
  define(text: string): void {
    const rest = tokensOf(text);
    while (rest.length > 0) {
      const token = rest.shift() ?? "";
      const [, name] = /^\{\{define "([^"]+)"\}\}$/.exec(token) ?? [];
      if (name !== undefined) this.#defined.set(name, parse(rest, ["end"]));
      else if (token.trim() !== "") throw new Error(`not a definition: ${token}`);
    }
  }

  render(text: string, values: Values): string {
    return this.#renderAll(parse(tokensOf(text), []), { dot: values, root: values, variables: new Map() });
  }

  #renderAll(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => this.#renderNode(node, scope)).join("");
  }

  #renderNode(node: Node, scope: Scope): string {
    if ("text" in node) return node.text;
    if (!("block" in node)) return String(this.#evaluate(node.pipe, scope));
    const [, name, each, list = node.pipe] = /^\$(\w+), \$(\w+) := (.+)$/.exec(node.pipe) ?? [];
    const value = this.#evaluate(list, scope);
    if (isEmpty(value)) return "";
    if (node.block === "if") return this.#renderAll(node.body, scope);
    return Object.entries(value as object)
      .toSorted(([one], [other]) => (Array.isArray(value) ? 0 : one < other ? -1 : 1))
      .map(([key, dot]: [string, unknown]) => {
        const variables = new Map([
          ...scope.variables,
          ...(name && each ? [[name, key] as const, [each, dot] as const] : []),
        ]);
        return this.#renderAll(node.body, { ...scope, dot, variables });
      })
      .join("");
  }

  #evaluate(pipe: string, scope: Scope): unknown {
    return pipe
      .split(" | ")
      .reduce<unknown[]>((piped, call) => [this.#call(call.trim(), piped, scope)], [])
      .at(0);
  }

  #call(call: string, piped: readonly unknown[], scope: Scope): unknown {
    const [head = "", ...rest] = call.match(/"[^"]*"|\S+/g) ?? [];
    const given = [...rest.map((word) => this.#operand(word, scope)), ...piped];
    const [first, second] = given;
    switch (head) {
      case "include": {
        const defined = this.#defined.get(String(first));
        if (!defined) throw new Error(`not defined: ${String(first)}`);
        return this.#renderAll(defined, { ...scope, dot: second });
      }
      case "toYaml":
        return this.toYaml(first).trimEnd();
      case "nindent":
        return `\n${indent(Number(first), String(second))}`;
      case "quote":
        return JSON.stringify(String(first));
      case "not":
        return isEmpty(first);
      case "required":
        if (isEmpty(second)) throw new Error(String(first));
        return second;
      case "printf":
        return given.slice(1).reduce<string>((text, value) => text.replace("%s", String(value)), String(first));
      default:
        if (given.length > 0) throw new Error(`unknown function: ${call}`);
        return this.#operand(head, scope);
    }
  }

  #operand(word: string, { dot, root, variables }: Scope): unknown {
    if (word === ".") return dot;
    if (word === "$") return root;
    if (/^\d+$/.test(word)) return Number(word);
    if (word.startsWith('"')) return JSON.parse(word) as unknown;
    if (word.startsWith("$") && variables.has(word.slice(1))) return variables.get(word.slice(1));
    if (!/^\.\w[\w.]*$/.test(word)) throw new Error(`unknown operand: ${word}`);
    return word
      .slice(1)
      .split(".")
      .reduce<unknown>((value, name) => {
        if (typeof value !== "object" || value === null || !(name in value)) throw new Error(`no value: ${word}`);
        return (value as Values)[name];
      }, dot);
  }
}

/** Splits a template into texts and actions; `{{-` and `-}}` trim the space beside them. */
const tokensOf = (text: string): string[] =>
  text
    .replaceAll(/\s*\{\{- /g, "{{")
    .replaceAll(/ -\}\}\s*/g, "}}")
    .replaceAll(/\{\{\s*(.*?)\s*\}\}/g, "{{$1}}")
    .split(/(\{\{.*?\}\})/)
    .filter((token) => token !== "");

/** Parses tokens up to the action that ends the block, which is removed. */
function parse(rest: string[], ends: readonly string[]): Node[] {
  const nodes: Node[] = [];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    const [, action] = /^\{\{(.*)\}\}$/.exec(token) ?? [];
    if (action === undefined) nodes.push({ text: token });
    else if (ends.includes(action)) return nodes;
    else {
      const [, block, pipe = ""] = /^(if|range) (.+)$/.exec(action) ?? [];
      if (block === undefined) nodes.push({ pipe: action });
      else nodes.push({ block, pipe, body: parse(rest, ["end"]) });
    }
  }
  if (ends.length > 0) throw new Error(`not ended: ${ends.join()}`);
  return nodes;
}
