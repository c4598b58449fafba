import { Badge } from "@/components/ui/badge";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";

/** Whether members sign in with a connection, or what it needs for that. */
export function ConnectionState({ connection }: { connection: SignInConnection }) {
  const { enabled, tested_at } = connection;
  if (enabled)
    return tested_at === null ? (
      <Badge tone="warning">On, changed since its test</Badge>
    ) : (
      <Badge tone="success">On</Badge>
    );
  return <Badge>{tested_at === null ? "Off, not tested" : "Off, tested"}</Badge>;
}
