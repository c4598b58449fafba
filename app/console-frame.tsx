import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { firingNowQuery } from "@/components/alerts/firing-now";
import { Frame } from "@/components/layout/frame";
import { sessionQuery } from "@/components/session/session-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { FOLDED_GROUPS_COOKIE, SIDEBAR_COOKIE } from "@/lib/browser/preferences";
import { holds, holdsSomewhere } from "@/lib/platform/grants";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import { Prefetch } from "./prefetch";
import type { SessionCaller } from "./signed-in-caller";

export async function ConsoleFrame({ caller, children }: { caller: SessionCaller; children: ReactNode }) {
  const preferences = await cookies();
  const permissions = PERMISSION_NAMES.filter((permission) => holdsSomewhere(caller, permission));
  const onlyInWorkspaces = permissions.filter((permission) => !holds(caller, permission));
  return (
    <Prefetch queries={[sessionQuery, workspacesQuery, firingNowQuery(null)]}>
      <Frame
        user={{ name: caller.userName, permissions, onlyInWorkspaces }}
        isSidebarCollapsed={preferences.get(SIDEBAR_COOKIE)?.value === "collapsed"}
        foldedGroups={preferences.get(FOLDED_GROUPS_COOKIE)?.value}
      >
        {children}
      </Frame>
    </Prefetch>
  );
}
