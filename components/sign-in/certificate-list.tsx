import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { useNow } from "@/components/ui/use-now";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";

/** The stored certificates of a SAML provider, by what errors and the provider's pages call them. */
export function CertificateList({ connection: { saml } }: { connection: SignInConnection }) {
  const now = useNow();
  if (!saml || saml.certificate_details.length === 0) return null;
  return (
    <ul aria-label="Stored certificates" className="grid gap-2 text-[13px]">
      {saml.certificate_details.map(({ subject, sha256, valid_to }) => (
        <li key={sha256} className="grid gap-0.5 rounded-md border px-3 py-2">
          <span className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 wrap-anywhere">{subject || "Without a subject"}</span>
            {Date.parse(valid_to) <= now ? (
              <Badge tone="warning">
                Expired <RelativeTime at={valid_to} />
              </Badge>
            ) : (
              <span className="text-muted">
                Valid until <RelativeTime at={valid_to} isUpcoming />
              </span>
            )}
          </span>
          <span className="font-mono text-muted wrap-anywhere">SHA-256 {sha256}</span>
        </li>
      ))}
    </ul>
  );
}
