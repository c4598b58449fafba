// Finds code in database transactions that computes for long, waits, or calls another system. It follows names, so it doesn't see methods
// of objects passed as arguments.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { roleOf } from "../boundaries.mjs";

/** Functions whose callback runs in a transaction. */
const OPENERS = ["inTransaction", "dryRun"];
/** Its first argument runs before the transaction (lib/platform/http/prepared.ts). */
const PREPARED = "prepared";

const GLOBALS = ["fetch", "setTimeout", "setInterval"];
const MODULES =
  /^(undici|piscina|@node-rs\/argon2|(node:)?(child_process|dns|fs|http|https|net|timers|tls|worker_threads)(\/promises)?)$/;
const FILES =
  /^lib\/(platform\/outbound\/(checked-lookup|exchange|fetch|s3)|gateway\/filters\/scan-service|engine\/filters\/scan)\.ts$/;

/** Modules whose values are read at the start of the process. */
const SETTLED = /^lib\/platform\/(env|logger)\.ts$/;

/** @param {string} path */
const isSlowFile = (path) => FILES.test(path) || ["client", "worker"].includes(roleOf(path) ?? "");

/**
 * @typedef {{ module: string, name: string }} Import
 * @typedef {{ path: string, declarations: Map<string, ts.Node>, imports: Map<string, Import>, source: ts.SourceFile }} Code
 * @typedef {{ count: number, problems: string[] }} Result
 */

/** Returns the names that a binding declares. @param {ts.BindingName} name @returns {string[]} */
const namesOf = (name) =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []));

/** Resolves an import of this repository to its path below `root`; others stay as written. @param {string} root @param {string} from @param {string} module */
function resolveModule(root, from, module) {
  if (!/^(\.|@\/)/.test(module)) return module;
  const path = module.startsWith("@/") ? module.slice(2) : normalize(join(dirname(from), module));
  return (
    [path, `${path}.ts`, `${path}.tsx`].find((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(join(root, file))) ??
    path
  );
}

/** Reads the top level of a file. @param {string} root @param {string} path @returns {Code} */
function read(root, path) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {Code} */
  const code = { path, declarations: new Map(), imports: new Map(), source };
  for (const statement of source.statements) {
    if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      code.declarations.set(statement.name.text, statement);
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations)
        for (const name of namesOf(declaration.name)) code.declarations.set(name, declaration);
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = resolveModule(root, path, statement.moduleSpecifier.text);
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
    if (!clause || /^(import|export) type\b/.test(statement.getText(source))) continue;
    if (ts.isImportClause(clause) && clause.name) code.imports.set(clause.name.text, { module, name: "default" });
    const bindings = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause;
    if (bindings && ts.isNamespaceImport(bindings)) code.imports.set(bindings.name.text, { module, name: "*" });
    if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
      for (const element of bindings.elements)
        if (!element.isTypeOnly)
          code.imports.set(element.name.text, { module, name: (element.propertyName ?? element.name).text });
  }
  return code;
}

/** Returns the names that a function declares for its own code. @param {ts.Node} node @returns {Set<string>} */
function localNames(node) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {ts.Node} child */
  const collect = (child) => {
    if (ts.isParameter(child) || ts.isVariableDeclaration(child))
      namesOf(child.name).forEach((name) => names.add(name));
    ts.forEachChild(child, collect);
  };
  collect(node);
  return names;
}

/** Returns the names that the functions around a node declare. @param {ts.Node} node @returns {Set<string>} */
function outerNames(node) {
  if (ts.isSourceFile(node)) return new Set();
  const { parent } = node;
  return new Set([...outerNames(parent), ...(ts.isFunctionLike(parent) ? localNames(parent) : [])]);
}

/** True if the identifier only names a member or a declaration. @param {ts.Identifier} node */
function isPlainName(node) {
  const { parent } = node;
  return !ts.isShorthandPropertyAssignment(parent) && "name" in parent && parent.name === node;
}

/**
 * Yields references to top-level declarations, imports and globals in the code of a node, except types.
 * @param {Code} code @param {ts.Node} start @returns {Generator<{ name: string, member: string | null }>}
 */
function* references(code, start) {
  /** @type {[ts.Node, ReadonlySet<string>][]} */
  const waiting = [[start, outerNames(start)]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, outer] = next;
    if (ts.isTypeNode(node)) continue;
    const locals = ts.isFunctionLike(node) ? new Set([...outer, ...localNames(node)]) : outer;
    if (ts.isIdentifier(node) && !isPlainName(node) && !locals.has(node.text)) {
      const member = ts.isPropertyAccessExpression(node.parent) ? node.parent.name.text : null;
      yield { name: node.text, member };
    }
    const isPreparedCall = ts.isCallExpression(node) && node.expression.getText(code.source) === PREPARED;
    const skipped = isPreparedCall ? node.arguments[0] : undefined;
    ts.forEachChild(node, (child) => {
      if (child !== skipped) waiting.push([child, locals]);
    });
  }
}

/** Returns the callbacks of calls that open a transaction. @param {Code} code @returns {ts.Node[]} */
function transactions({ source }) {
  /** @type {ts.Node[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && OPENERS.includes(node.expression.text))
      found.push(...node.arguments.slice(1));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the source files of the server below `root`. @param {string} root @param {string} folder */
const filesOf = (root, folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !/\.(test|d)\.ts$/.test(name))
        .map((name) => `${folder}/${name}`)
        .filter((path) => !["test", "tool"].includes(roleOf(path) ?? ""))
    : [];

/**
 * Checks the code of every transaction below `root`, and all code that it refers to.
 * @param {string} root @returns {Result}
 */
export function checkTransactions(root) {
  /** @type {Map<string, Code>} */
  const files = new Map();
  const codeOf = (/** @type {string} */ path) => {
    const code = files.get(path) ?? read(root, path);
    files.set(path, code);
    return code;
  };
  /** @type {Set<string>} */
  const problems = new Set();
  /** @type {Set<ts.Node>} */
  const seen = new Set();

  /** @param {string} path @param {string} name @param {string[]} trail */
  function enter(path, name, trail) {
    const code = codeOf(path);
    const declaration = code.declarations.get(name);
    if (declaration) follow(code, declaration, [...trail, `${path} ${name}`]);
    else if (code.imports.has(name)) refer(code, { name, member: null }, trail);
  }
  /** @param {Code} code @param {{ name: string, member: string | null }} reference @param {string[]} trail */
  function refer(code, { name, member }, trail) {
    if (code.declarations.has(name)) {
      enter(code.path, name, trail);
      return;
    }
    const imported = code.imports.get(name);
    if (!imported) return void (GLOBALS.includes(name) && problems.add([...trail, name].join("\n    → ")));
    const { module } = imported;
    const exported = imported.name === "*" ? (member ?? "*") : imported.name;
    if (MODULES.test(module) || isSlowFile(module)) problems.add([...trail, `${module} ${exported}`].join("\n    → "));
    else if (module.endsWith(".ts") && !SETTLED.test(module) && existsSync(join(root, module)))
      enter(module, exported, trail);
  }
  /** @param {Code} code @param {ts.Node} node @param {string[]} trail */
  function follow(code, node, trail) {
    if (seen.has(node)) return;
    seen.add(node);
    for (const reference of references(code, node)) refer(code, reference, trail);
  }

  const roots = filesOf(root, "lib").flatMap((path) => {
    const code = codeOf(path);
    return transactions(code).map((node) => ({ code, node }));
  });
  for (const { code, node } of roots) {
    const { line } = code.source.getLineAndCharacterOfPosition(node.getStart(code.source));
    follow(code, node, [`${code.path}:${line + 1}`]);
  }
  const services = filesOf(root, "app").flatMap((path) => idempotentServices(codeOf(path), codeOf));
  for (const { code, name, member } of services) refer(code, { name, member }, [`${code.path} (idempotent)`]);
  return { count: roots.length + services.length, problems: [...problems].sort() };
}

/**
 * Returns the services of idempotent operations, which run in the transaction that stores their response.
 * @param {Code} route @param {(path: string) => Code} codeOf
 */
function idempotentServices(route, codeOf) {
  /** @type {{ code: Code, name: string, member: string | null }[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || node.expression.getText(route.source) !== "handle") return;
    const [operation, service] = node.arguments;
    if (!operation || !service) return;
    const imported = route.imports.get(operation.getText(route.source).split(".")[0] ?? "");
    if (!imported) return;
    const contract = codeOf(imported.module);
    const name = imported.name === "*" ? operation.getText(route.source).split(".")[1] : imported.name;
    const declaration = contract.declarations.get(name ?? "");
    if (!declaration || !/\bidempotent: true\b/.test(declaration.getText(contract.source))) return;
    const [object = "", member = null] = service.getText(route.source).split(".");
    found.push({ code: route, name: object, member });
  };
  visit(route.source);
  return found;
}
