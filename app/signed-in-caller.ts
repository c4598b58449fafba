import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { FIRST_PASSWORD_PATH } from "@/lib/browser/sign-in-path";
import { ApiError } from "@/lib/platform/api-error";
import type { Caller } from "@/lib/platform/context";
import { authenticate } from "@/lib/server/authenticate";
import { boot } from "@/lib/server/boot";

export type SessionCaller = Extract<Caller, { kind: "session" }>;

/** The user of this browser's session cookie; null if not signed in. */
export const signedInCaller = cache(async (): Promise<SessionCaller | null> => {
  const sent = new Headers(await headers());
  // Drops credentials meant for a proxy.
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
