import { Download } from "lucide-react";
import { offerFile } from "@/components/layout/download-export";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";

/** What a SAML provider can be given as files: the metadata, and the certificate of a connection's key. */
export function ServiceFiles({ connection: { saml, addresses } }: { connection: SignInConnection }) {
  if (!saml || addresses.metadata_url === null) return null;
  const certificate = new Blob([saml.service_certificate], { type: "application/x-pem-file" });
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton href={new URL(addresses.metadata_url).pathname} download prefetch={false}>
        <Download aria-hidden /> Download metadata
      </LinkButton>
      <Button onClick={() => offerFile(certificate, "signalbox.pem")}>
        <Download aria-hidden /> Download certificate
      </Button>
    </div>
  );
}
