import { useMay } from "@/components/session/user-context";
import { LinkButton } from "@/components/ui/link-button";

interface AuditLinkProps {
  /** Type of the record in the audit log. */
  type: string;
  id: string;
}

/** Link to the events of a record in the audit log, for admins. */
export function AuditLink({ type, id }: AuditLinkProps) {
  const canRead = useMay("audit:read");
  if (!canRead) return null;
  const href = `/audit?${new URLSearchParams({ target_type: type, target_id: id })}`;
  return (
    <LinkButton href={href} aria-label={`Audit log of this ${type.replaceAll("_", " ")}`}>
      Audit log
    </LinkButton>
  );
}
