import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";

interface PlatformText {
  label: string;
  /** Empty if each installation has its own. */
  issuer: string;
  issuerHint: string;
  /** Example of a subject. */
  subject: string | null;
}

const KNOWN = ["github", "gitlab", "kubernetes"] as const;
export type Platform = (typeof KNOWN)[number] | "other";

export const PLATFORMS: Readonly<Record<Platform, PlatformText>> = {
  github: {
    label: "GitHub Actions",
    issuer: "https://token.actions.githubusercontent.com",
    issuerHint: "On GitHub Enterprise Server, `https://HOST/_services/token`.",
    subject: "repo:OWNER/REPO:ref:refs/heads/main",
  },
  gitlab: {
    label: "GitLab CI",
    issuer: "https://gitlab.com",
    issuerHint: "On your own GitLab server, its URL.",
    subject: "project_path:GROUP/PROJECT:ref_type:branch:ref:main",
  },
  kubernetes: {
    label: "Kubernetes",
    issuer: "",
    issuerHint: "`issuer` in the output of `kubectl get --raw /.well-known/openid-configuration`.",
    subject: "system:serviceaccount:NAMESPACE:NAME",
  },
  other: { label: "Other", issuer: "", issuerHint: "The token’s `iss`.", subject: null },
};

const PREFIXES = { github: "repo:", gitlab: "project_path:", kubernetes: "system:serviceaccount:" } as const;

/** The platform whose issuer or form of subject an identity has. */
export const platformOf = ({ issuer, claims: { sub = "" } }: Pick<WorkloadIdentity, "issuer" | "claims">): Platform =>
  KNOWN.find((platform) => issuer === PLATFORMS[platform].issuer || sub.startsWith(PREFIXES[platform])) ?? "other";
