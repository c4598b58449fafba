import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AccountSession } from "@/lib/records/session/account-contract";
import { browserName } from "./browser-name";

/**
 * Columns of a session list, with a button to sign out. `whose` makes the buttons of different members
 * distinguishable.
 */
export const sessionColumns = <Session extends AccountSession>(
  onRevoke: (session: Session) => void,
  whose?: (session: Session) => string,
): Column<Session>[] => [
  {
    id: "browser",
    header: "Browser",
    cell: ({ user_agent, is_current }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <span title={user_agent ?? undefined}>{browserName(user_agent)}</span>
        {is_current && <Badge tone="success">This browser</Badge>}
      </span>
    ),
  },
  {
    id: "ip",
    header: "IP address",
    cell: ({ ip }) =>
      ip === null ? <span className="text-muted">Unknown</span> : <code className="font-mono text-[13px]">{ip}</code>,
  },
  { id: "last_seen", header: "Last seen", cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
  { id: "signed_in", header: "Signed in", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: "actions",
    header: "Actions",
    isControl: true,
    cell: (session) =>
      !session.is_current && (
        <Button
          size="sm"
          aria-label={`Sign out ${browserName(session.user_agent)}${whose ? ` of ${whose(session)}` : ""}`}
          onClick={() => onRevoke(session)}
        >
          Sign out
        </Button>
      ),
  },
];
