// The order of the code, as rules that run: the wings of lib, the roles of files, and who may import whom.
// app → components → lib/browser → contracts → lib/platform/http/operation → zod
// app/v1 → lib/server/handle and services → the wings below

/** Wings of lib, lowest first: a file imports values from its own wing and the wings below it. */
export const WINGS = /** @type {const} */ (["platform", "engine", "records", "gateway", "features", "server"]);

/** Folders of lib that aren't part of the running server. */
const TOOLS = ["testing", "check", "cli", "demo"];

/**
 * Roles that a file's name or folder tells; the first that matches decides. A file without a role is an error.
 * `pure` is the default inside the wings that hold product code.
 * @type {readonly (readonly [role: string, path: RegExp])[]}
 */
const ROLES = [
  ["test", /\.(test|spec)\.tsx?$/],
  ["tool", new RegExp(`^lib/(${TOOLS.join("|")}|boundaries\\.mjs)(/|$)`)],
  ["browser", /^lib\/browser\//],
  ["contract", /^lib\/.+[/-]contract\.ts$/],
  ["vocabulary", /^lib\/.+\/vocabulary\.ts$/],
  ["platform", /^lib\/platform\//],
  ["server", /^lib\/server\//],
  ["service", /^lib\/(records|gateway|features)[^.]*[/-]service\.ts$/],
  ["store", /^lib\/(records|gateway|features)[^.]*[/-]store\.ts$/],
  ["rows", /^lib\/(records|gateway|features)[^.]*[/-]rows\.ts$/],
  ["client", /^lib\/(records|gateway|features)[^.]*[/-]client\.ts$/],
  ["worker", /^lib\/(records|gateway|features)\/.+-worker\.ts$/],
  ["pure", /^lib\/(engine|records|gateway|features)\/.+\.(ts|json)$/],
];

/** The role of a file below lib, or null. @param {string} path */
export const roleOf = (path) => ROLES.find(([, pattern]) => pattern.test(path))?.[0] ?? null;

/** A pattern that matches the files of the roles. @param {...string} names */
const role = (...names) => ROLES.filter(([name]) => names.includes(name)).map(([, pattern]) => pattern.source);

const CONTRACT = role("contract");
/** Terms of a noun shared by screens and contracts, without the schema library. */
const VOCABULARY = role("vocabulary");
const TEST = role("test");
const PRISMA = "^prisma/generated/";
const TOOL = role("tool");
const SERVER_ONLY = role("service", "store", "rows", "client", "worker");
/** Parts of the platform that touch nothing outside the process: values in, values out. */
const PURE_PLATFORM =
  "^lib/platform/(api-error|context|count|csv|grants|ids|json-values|key-text|permissions|process-wide|secrets|start-error|audit/contract|database/(json|literal|storable-json|store-failure)|http/(accept|client-network|cursor|direct-response|event-stream|export-stream|inspected|issue-message|issues|openapi|operation|pagination|prepared|rate-limit|request-body|request-facts)|outbound/(blocked-address|failure|is-event-stream)|outbox/event-of-change)\\.(ts|mjs)$";
/** The entry of every request; services are called by it and don't know it. */
const GATE = "^lib/(server/(handle|authenticate)|platform/http/(accept|error-response|request-[a-z]+))\\.ts$";

/** Amounts with their noun, in texts of the console as of the API. */
const COUNT = "^lib/platform/count\\.ts$";

/** Permissions by name, in texts of the console as of the API. */
const PERMISSIONS = "^lib/platform/permissions\\.ts$";

/** Names the type of a key's limit, which belongs to the engine. */
const CONTEXT = "^lib/platform/context\\.ts$";

/** A wing imports nothing from the wings above it. @param {string} wing @param {number} index @returns {import("dependency-cruiser").IForbiddenRuleType} */
const order = (wing, index) => ({
  name: `order-${wing}`,
  comment: `lib/${wing} imports nothing from ${WINGS.slice(index + 1).join(", ")}.`,
  from: { path: `^lib/${wing}/`, pathNot: [...TEST, CONTEXT] },
  to: { path: `^lib/(${WINGS.slice(index + 1).join("|")})/` },
});

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const forbidden = [
  {
    name: "no-cycles",
    comment: "Two files that need each other are one file, or hide a third.",
    from: {},
    to: { circular: true },
  },
  {
    name: "every-import-resolves",
    comment: "An import that leads nowhere is a file that was moved.",
    // Packages of bench/package.json and e2e/clients/package.json are installed only to run these.
    from: { pathNot: "^(bench/(names|corpora|public|detection-packages)|e2e/clients/)" },
    to: { couldNotResolve: true },
  },
  ...WINGS.slice(0, -1).map(order),
  {
    name: "contract",
    comment: "A contract imports zod, operation, pagination, vocabularies and other contracts: it runs anywhere.",
    from: { path: [...CONTRACT, ...VOCABULARY], pathNot: TEST },
    to: {
      pathNot: [
        "^node_modules/zod/",
        "^lib/platform/http/(operation|pagination|cursor)\\.ts$",
        PERMISSIONS,
        ...VOCABULARY,
        ...CONTRACT,
      ],
    },
  },
  {
    name: "database",
    comment: "Only services, stores, rows and the platform know the database.",
    from: { path: "^lib/", pathNot: [...role("service", "store", "rows", "tool", "test"), "^lib/(platform|server)/"] },
    to: { path: [PRISMA, "^node_modules/(pg|@prisma)/"] },
  },
  {
    name: "pure",
    comment:
      "A file without another role decides on values alone: no database, environment, network, thread or service.",
    from: { path: role("pure"), pathNot: [...TEST, ...CONTRACT, ...VOCABULARY, ...SERVER_ONLY] },
    to: {
      path: ["^lib/platform/", ...SERVER_ONLY, "^node_modules/(next|react|react-dom|undici|piscina|pino|prom-client)/"],
      pathNot: [PURE_PLATFORM, ...CONTRACT, ...VOCABULARY, ...role("rows")],
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "pure-without-node",
    comment: "A pure file uses no module of Node.js that reaches outside the process.",
    from: { path: role("pure"), pathNot: [...TEST, ...SERVER_ONLY] },
    to: { dependencyTypes: ["core"], pathNot: "^(node:)?(buffer|crypto|util|zlib)$" },
  },
  {
    name: "engine-on-values",
    comment: "The engine has no service, store, rows or client.",
    from: {},
    to: { path: "^lib/engine/.+[/-](service|store|rows|client)\\.ts$" },
  },
  {
    name: "service",
    comment: "A service is called by the gate; it never calls the gate, a page or the framework.",
    from: { path: "^lib/(engine|records|gateway|features)/", pathNot: TEST },
    to: { path: [GATE, "^node_modules/(next|react|react-dom)/", "^(app|components)/"] },
  },
  {
    name: "route",
    comment: "A route joins a contract to a service: nothing to decide, nothing to query.",
    from: { path: "^app/.*route\\.ts$" },
    to: {
      path: [PRISMA, "^lib/", "^components/", "^node_modules/"],
      pathNot: [...CONTRACT, ...role("service"), "^lib/platform/audit/(export-)?service\\.ts$", "^lib/server/"],
    },
  },
  {
    name: "route-to-gate",
    comment: "Under /v1 a route reaches other code by contract, service and gate alone.",
    from: { path: "^app/v1/" },
    to: { path: "^(?!lib/)" },
  },
  {
    name: "page",
    comment:
      "A page is a client of the API: components and contracts; only the frame reads the session, only app/prefetch.tsx calls operations.",
    from: { path: "^app/.*\\.tsx$", pathNot: ["^app/console-frame\\.tsx$", "^app/prefetch\\.tsx$"] },
    to: { path: "^lib/", pathNot: [...CONTRACT, "^lib/browser/"] },
  },
  {
    name: "frame",
    comment: "The console's frame finds the signed-in member; it reads nothing else from the server.",
    from: { path: "^app/console-frame\\.tsx$" },
    to: {
      path: "^lib/",
      pathNot: [
        ...CONTRACT,
        "^lib/browser/",
        "^lib/server/(boot|authenticate)\\.ts$",
        "^lib/platform/(context|grants|api-error|permissions)\\.ts$",
      ],
    },
  },
  {
    name: "components-in-the-browser",
    comment: "A component runs in the browser: no server file is reachable from it.",
    from: { path: ["^components/", "^lib/browser/"], pathNot: TEST },
    to: { path: ["^node_modules/server-only/", PRISMA, "^app/"], reachable: true },
  },
  {
    name: "components-by-contract",
    comment: "A component knows the API by its contracts and calls it through lib/browser.",
    from: { path: "^components/", pathNot: TEST },
    to: {
      path: "^lib/",
      pathNot: [
        ...CONTRACT,
        ...VOCABULARY,
        "^lib/browser/",
        "^lib/records/(guardrails/rules|members/name)\\.ts$",
        "^lib/engine/(windows|money)\\.ts$",
        COUNT,
        PERMISSIONS,
        "^lib/platform/(csv|http/issue-message)\\.ts$",
      ],
    },
  },
  {
    name: "primitives",
    comment: "components/ui has no product words: it knows no noun, form or layout.",
    from: { path: "^components/ui/" },
    to: { path: ["^components/(?!ui/)", "^lib/(?!browser/)"], pathNot: [COUNT] },
  },
  {
    name: "form-parts",
    comment: "components/form joins fields to ui; nouns use it.",
    from: { path: "^components/form/" },
    to: { path: "^components/(?!ui/|form/)" },
  },
  {
    name: "browser",
    comment: "lib/browser is the typed client of the API: contracts, vocabularies and operation, no component.",
    from: { path: "^lib/browser/", pathNot: TEST },
    to: {
      path: ["^components/", "^lib/(?!browser/)"],
      pathNot: [...CONTRACT, ...VOCABULARY, PERMISSIONS, "^lib/platform/http/(operation|pagination)\\.ts$"],
    },
  },
  {
    name: "nothing-above-lib",
    comment: "lib serves app and components; it imports neither, nor its own tools.",
    from: { path: "^lib/", pathNot: [...TOOL, ...TEST] },
    to: { path: ["^(app|components|e2e|bench)/", ...TOOL] },
  },
  {
    name: "product-without-dev-dependencies",
    comment: "What the product imports is installed with the product.",
    from: { path: "^(app|components|lib|prisma)/", pathNot: [...TOOL, ...TEST] },
    to: {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      dependencyTypesNot: ["type-only"],
      pathNot: "^node_modules/@types/",
    },
  },
];

export default { forbidden };
