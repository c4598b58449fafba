import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { Frame } from "@/components/layout/frame";
import { sessionQuery } from "@/components/session/session-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { boot } from "@/lib/server/boot";
import { SIDEBAR_COOKIE } from "@/lib/browser/preferences";
import { FIRST_PASSWORD_PATH } from "@/lib/browser/sign-in-path";
import type { Caller } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/api-error";
import { authenticate } from "@/lib/server/authenticate";
import { Prefetch } from "./prefetch";

export type SessionCaller = Extract<Caller, { kind: "session" }>;

/** The user of this browser's session cookie; null if not signed in. */
export const signedInCaller = cache(async (): Promise<SessionCaller | null> => {
  const sent = new Headers(await headers());
  // A proxy's own credentials aren't ours.
  sent.delete("authorization");
  const { db } = await boot();
  try {
    const { caller, session } = await authenticate(new Request("http://localhost/", { headers: sent }), db, new Date());
    if (caller.kind !== "session") return null;
    if (session?.mustChangePassword) redirect(FIRST_PASSWORD_PATH);
    return caller;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
});

export async function ConsoleFrame({ caller, children }: { caller: SessionCaller; children: ReactNode }) {
  const preferences = await cookies();
  return (
    <Prefetch queries={[sessionQuery, ...(caller.role === "admin" ? [workspacesQuery] : [])]}>
      <Frame
        user={{ name: caller.userName, isAdmin: caller.role === "admin" }}
        isSidebarCollapsed={preferences.get(SIDEBAR_COOKIE)?.value === "collapsed"}
      >
        {children}
      </Frame>
    </Prefetch>
  );
}
