import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import packageFile from "../../../package.json";
import { HelmTemplate } from "../../testing/helm-template";

const CHART = "docs/deployment/helm";
const read = (path: string) => readFileSync(path, "utf8");

interface Chart {
  version: string;
  appVersion: string;
  name: string;
}
interface Values {
  [name: string]: unknown;
  drainMs: number;
  terminationGracePeriodSeconds: number;
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const chart = parse(read(join(CHART, "Chart.yaml"))) as Chart;
const values = parse(read(join(CHART, "values.yaml"))) as Values;

function render(changed: Record<string, unknown>): Manifest[] {
  const template = new HelmTemplate((value) => stringify(value));
  const files = readdirSync(join(CHART, "templates")).map(
    (name) => [name, read(join(CHART, "templates", name))] as const,
  );
  for (const [name, text] of files) if (name.endsWith(".tpl")) template.define(text);
  const given = {
    Values: { ...values, ...changed },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
    Release: { Name: "gateway", Service: "Helm" },
  };
  return files
    .filter(([name]) => name.endsWith(".yaml"))
    .flatMap(([, text]) => parseAllDocuments(template.render(text, given)))
    .flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0] ?? new Error();
      return (document.toJS() as Manifest | null) ?? [];
    });
}

/** Kubernetes' types, which reject unknown fields and wrong values. */
const TYPES: Record<string, string> = {
  Deployment: "apps/v1",
  Service: "core/v1",
  PodDisruptionBudget: "policy/v1",
  HorizontalPodAutoscaler: "autoscaling/v2",
  NetworkPolicy: "networking/v1",
};

/** Returns the errors of the TypeScript compiler for manifests as values of these types. */
function typeErrors(manifests: readonly Manifest[]): string[] {
  const path = join(process.cwd(), "lib/server/docs/rendered-chart.ts");
  const source = manifests
    .map(
      (manifest, index) =>
        `export const m${index}: import("kubernetes-types/${TYPES[manifest.kind]}").${manifest.kind} = ${JSON.stringify(manifest)};`,
    )
    .join("\n");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ["lib.es5.d.ts"],
    skipLibCheck: true,
  };
  options.module = ts.ModuleKind.ESNext;
  options.moduleResolution = ts.ModuleResolutionKind.Bundler;
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, source, ts.ScriptTarget.Latest) : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

const everything = {
  autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 70 },
  networkPolicy: { enabled: true, ingressFrom: [{ namespaceSelector: {} }], egressPorts: [5432] },
  serviceMonitor: { enabled: true, interval: "30s" },
  env: { SIGNALBOX_ACCESS_LOG: true, SIGNALBOX_WORKERS: 2 },
  podAnnotations: { team: "ml" },
  imagePullSecrets: [{ name: "registry" }],
  nodeSelector: { disk: "ssd" },
  tolerations: [{ key: "dedicated", operator: "Exists" }],
};
const nothing = {
  podDisruptionBudget: { enabled: false },
  networkPolicy: { enabled: false, ingressFrom: [], egressPorts: [] },
};

it("gives the compose file's proxy the configuration of docs/scaling.md, and servers the variables that exist", () => {
  const folder = "docs/deployment/compose";
  const [, documented = ""] = /```haproxy\n([^]*?)```/.exec(read("docs/scaling.md")) ?? [];
  const own = read(join(folder, "haproxy.cfg")).replace("resolvers docker init-addr none ", "").split("\n");
  const lines = documented.split("\n").filter((line) => !/^ {2}server /.test(line));
  expect(lines.filter((line) => !own.includes(line))).toEqual([]);
  const compose = parse(read(join(folder, "compose.yaml")), { merge: true }) as {
    "x-server": { environment: Record<string, unknown>; stop_grace_period: string };
  };
  const { environment, stop_grace_period } = compose["x-server"];
  expect(Object.keys(environment).filter((name) => !read(".env.example").includes(`${name}=`))).toEqual([]);
  expect(parseInt(stop_grace_period) * 1_000).toBeGreaterThanOrEqual(
    Number(environment["SIGNALBOX_DRAIN_MS"]) + 10_000,
  );
});

describe("the Helm chart", () => {
  it("has the version of the package", () => {
    expect([chart.version, chart.appVersion]).toEqual([packageFile.version, packageFile.version]);
  });

  it("renders valid manifests, of the default values and of every option", () => {
    const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).toSorted();
    expect(kinds(render(nothing))).toEqual(["Deployment", "Service"]);
    const all = [...render({}), ...render(everything), ...render(nothing)];
    expect(kinds(render(everything))).toEqual([...Object.keys(TYPES), "ServiceMonitor"].toSorted());
    const broken = { kind: "Service", spec: { port: 80 } } as unknown as Manifest;
    // The monitor's type belongs to the Prometheus Operator.
    expect(typeErrors([...all.filter(({ kind }) => kind !== "ServiceMonitor"), broken])).toEqual([
      expect.stringContaining('"port"'),
    ]);
  });

  it("gives pods the time to drain, an unprivileged user and a file system that can't be written", () => {
    const deployment = render({}).find(({ kind }) => kind === "Deployment");
    expect(values.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(values.drainMs + 10_000);
    expect(deployment).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            terminationGracePeriodSeconds: values.terminationGracePeriodSeconds,
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                envFrom: [{ secretRef: { name: "signalbox" } }],
                env: expect.arrayContaining([{ name: "SIGNALBOX_DRAIN_MS", value: String(values.drainMs) }]) as unknown,
                livenessProbe: { httpGet: { path: "/healthz" } },
                readinessProbe: { httpGet: { path: "/readyz" } },
                securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
              },
            ],
          },
        },
      },
    });
    expect(() => render({ existingSecret: "" })).toThrow("existingSecret is required");
    expect(render({ autoscaling: everything.autoscaling })[0]).not.toHaveProperty("spec.replicas");
  });
});
