// Who may import whom, as dependency-cruiser rules. Nothing points up:
// app → components → lib/browser → contracts → lib/platform/http/operation → zod
// app/v1 → lib/server/handle and services → policies → contracts

const CONTRACT = "^lib/([a-z-]+/)+[a-z-]*contract\\.ts$";
const POLICY = "^lib/([a-z-]+/)+[a-z-]*policy\\.ts$";
/** The words of a noun that screens and contracts share: no schema library comes along. */
const VOCABULARY = "^lib/([a-z-]+/)+vocabulary\\.ts$";
const TEST = "\\.(test|spec)\\.tsx?$";
const PRISMA = "^prisma/generated/";
/** Inside lib, but no part of the running server. */
const TOOLING = "^lib/(testing|check|cli|demo|content-filters/training|boundaries\\.mjs)";
/** What the gate is made of; services are called by it and know nothing of it. */
const GATE = "^lib/(server/(handle|authenticate)|platform/http/(accept|error-response|request-[a-z]+))\\.ts$";

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
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "contract",
    comment: "A contract imports zod, operation, pagination, vocabularies and other contracts: it runs anywhere.",
    from: { path: CONTRACT, pathNot: TEST },
    to: {
      pathNot: ["^node_modules/zod/", "^lib/platform/http/(operation|pagination|cursor)\\.ts$", VOCABULARY, CONTRACT],
    },
  },
  {
    name: "policy",
    comment:
      "A policy decides on values alone: no database, environment, framework or Node module, not even through others.",
    from: { path: [POLICY, "^lib/engine/(windows|money)\\.ts$"] },
    to: {
      path: [PRISMA, "^node_modules/(server-only|next|react|react-dom)/", "^lib/platform/(env|logger|database/)"],
      reachable: true,
    },
  },
  {
    name: "policy-without-node",
    comment: "A policy runs in a browser as it runs on the server.",
    from: { path: [POLICY, CONTRACT] },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "service",
    comment: "A service is called by the gate; it never calls the gate, a page or the framework.",
    from: { path: "^lib/[^/]+/", pathNot: ["^lib/(http|browser|server)/", TOOLING, TEST] },
    to: { path: [GATE, "^node_modules/(next|react|react-dom)/", "^(app|components)/"] },
  },
  {
    name: "route",
    comment: "A route joins a contract to a service: nothing to decide, nothing to query.",
    from: { path: "^app/.*route\\.ts$" },
    to: {
      path: [
        PRISMA,
        POLICY,
        "^lib/(db|env|boot|context|logger)\\.ts$",
        "^lib/[^/]+/rows\\.ts$",
        "^lib/http/(?!handle)",
        "^components/",
        "^node_modules/",
      ],
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
      "A page is a client of the API: components and contracts; only the frame asks who is signed in, only app/prefetch.tsx calls operations.",
    from: { path: "^app/.*\\.tsx$", pathNot: ["^app/console-frame\\.tsx$", "^app/prefetch\\.tsx$"] },
    to: { path: "^lib/", pathNot: [CONTRACT, "^lib/browser/"] },
  },
  {
    name: "frame",
    comment: "The console's frame finds the signed-in member; it reads nothing else from the server.",
    from: { path: "^app/console-frame\\.tsx$" },
    to: {
      path: "^lib/",
      pathNot: [CONTRACT, "^lib/browser/", "^lib/(boot|context)\\.ts$", "^lib/http/(authenticate|api-error)\\.ts$"],
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
      pathNot: [CONTRACT, VOCABULARY, "^lib/browser/", "^lib/[^/]+/policy\\.ts$", "^lib/engine/(windows|money)\\.ts$"],
    },
  },
  {
    name: "primitives",
    comment: "components/ui has no product words: it knows no noun, form or layout.",
    from: { path: "^components/ui/" },
    to: { path: ["^components/(?!ui/)", "^lib/(?!browser/)"] },
  },
  {
    name: "form-parts",
    comment: "components/form joins fields to ui; nouns use it.",
    from: { path: "^components/form/" },
    to: { path: "^components/(?!ui/|form/)" },
  },
  {
    name: "browser",
    comment: "lib/browser is the typed way to the API: contracts and operation, no component.",
    from: { path: "^lib/browser/", pathNot: TEST },
    to: {
      path: ["^components/", "^lib/(?!browser/)"],
      pathNot: [CONTRACT, "^lib/platform/http/(operation|pagination)\\.ts$"],
    },
  },
  {
    name: "nothing-points-up",
    comment: "lib serves app and components; it imports neither.",
    from: { path: "^lib/", pathNot: [TOOLING, TEST] },
    to: { path: ["^(app|components|e2e|bench)/", TOOLING] },
  },
  {
    name: "product-without-dev-dependencies",
    comment: "What the product imports is installed with the product.",
    from: { path: "^(app|components|lib|prisma)/", pathNot: [TOOLING, TEST] },
    to: {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      dependencyTypesNot: ["type-only"],
      pathNot: "^node_modules/@types/",
    },
  },
];

export default { forbidden };
