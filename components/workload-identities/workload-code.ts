import { KEY_VARIABLE } from "@/components/snippets/key-variable";
import { shellQuoted } from "@/components/snippets/request-snippets";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from "@/lib/records/workload-identities/vocabulary";
import { platformOf, type Platform } from "./platforms";

interface Workload extends Pick<WorkloadIdentity, "issuer" | "audience"> {
  /** Origin of this installation. */
  origin: string;
}

interface Code {
  label: string;
  text: string;
}

const TOKEN_FOLDER = "/var/run/secrets/signalbox";

const indented = (spaces: number, lines: readonly string[]) => lines.map((line) => " ".repeat(spaces) + line);

/** Sets a shell variable to the exchanged key. Fails with the server's reason. */
const exchange = (variable: string, { origin }: Workload, subjectToken: string) => [
  `${variable}=$(curl -sS ${origin}/v1/oauth/token \\`,
  `  --data-urlencode grant_type=${TOKEN_EXCHANGE} \\`,
  `  --data-urlencode subject_token_type=${SUBJECT_TOKEN_TYPES[0]} \\`,
  `  --data-urlencode "${subjectToken}" | jq -r '.access_token // error(.error_description)')`,
];

const exported = (workload: Workload, subjectToken: string) => [
  ...exchange(KEY_VARIABLE, workload, subjectToken),
  `export ${KEY_VARIABLE}`,
];

const github = (workload: Workload): Code => ({
  label: "GitHub Actions workflow",
  text: [
    `permissions:`,
    `  contents: read`,
    `  id-token: write`,
    ``,
    `steps:`,
    `  - name: Get a Signalbox key`,
    `    shell: bash`,
    `    run: |`,
    ...indented(6, [
      `token=$(curl -sSf -G "$ACTIONS_ID_TOKEN_REQUEST_URL" \\`,
      `  --data-urlencode ${shellQuoted(`audience=${workload.audience}`)} \\`,
      `  -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" | jq -r .value)`,
      ...exchange("key", workload, "subject_token=$token"),
      `echo "::add-mask::$key"`,
      `echo "${KEY_VARIABLE}=$key" >> "$GITHUB_ENV"`,
    ]),
  ].join("\n"),
});

const gitlab = (workload: Workload): Code => ({
  label: "GitLab CI job",
  text: [
    `job:`,
    `  id_tokens:`,
    `    SIGNALBOX_TOKEN:`,
    `      aud: ${JSON.stringify(workload.audience)}`,
    `  script:`,
    `    - |`,
    ...indented(6, exported(workload, "subject_token=$SIGNALBOX_TOKEN")),
  ].join("\n"),
});

const pod = ({ audience }: Workload): Code => ({
  label: "Pod spec",
  text: [
    `spec:`,
    `  containers:`,
    `    - name: app`,
    `      volumeMounts:`,
    `        - name: signalbox-token`,
    `          mountPath: ${TOKEN_FOLDER}`,
    `          readOnly: true`,
    `  volumes:`,
    `    - name: signalbox-token`,
    `      projected:`,
    `        sources:`,
    `          - serviceAccountToken:`,
    `              path: token`,
    `              audience: ${JSON.stringify(audience)}`,
    `              expirationSeconds: 3600`,
  ].join("\n"),
});

const container = (workload: Workload): Code => ({
  label: "Commands in the container",
  text: exported(workload, `subject_token@${TOKEN_FOLDER}/token`).join("\n"),
});

const other = (workload: Workload): Code => ({
  label: "Commands",
  text: [
    `# TOKEN is a JWT of ${workload.issuer} with the audience ${workload.audience}.`,
    ...exported(workload, "subject_token=$TOKEN"),
  ].join("\n"),
});

const WRITERS: Readonly<Record<Platform, readonly ((workload: Workload) => Code)[]>> = {
  github: [github],
  gitlab: [gitlab],
  kubernetes: [pod, container],
  other: [other],
};

/** Code with which a workload exchanges its token for a key. */
export const workloadCode = (identity: WorkloadIdentity, origin: string): Code[] => {
  const { issuer, audience } = identity;
  return WRITERS[platformOf(identity)].map((write) => write({ issuer, audience, origin }));
};
