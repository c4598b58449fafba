import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Frame } from "@/components/layout/frame";
import { boot } from "@/lib/boot";
import { parseTheme, SIDEBAR_COOKIE, THEME_COOKIE } from "@/lib/browser/preferences";
import { signInPath } from "@/lib/browser/sign-in-path";
import type { Caller } from "@/lib/context";
import { ApiError } from "@/lib/http/api-error";
import { authenticate } from "@/lib/http/authenticate";

/** The signed-in caller by the session cookie alone, or null. */
async function currentCaller(cookie: string): Promise<Caller | null> {
  const { db } = await boot();
  return authenticate(new Request("http://localhost/", { headers: { cookie } }), db, new Date()).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
}

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const requestHeaders = await headers();
  const caller = await currentCaller(requestHeaders.get("cookie") ?? "");
  if (caller?.kind !== "session") redirect(signInPath(requestHeaders.get("x-signalbox-path") ?? "/"));
  const preferences = await cookies();
  return (
    <Frame
      user={{ name: caller.userName, isAdmin: caller.role === "admin" }}
      theme={parseTheme(preferences.get(THEME_COOKIE)?.value)}
      isSidebarCollapsed={preferences.get(SIDEBAR_COOKIE)?.value === "collapsed"}
    >
      {children}
    </Frame>
  );
}
