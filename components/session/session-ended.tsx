"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { announce } from "@/lib/browser/announce";
import { leaveToSignIn, onSessionEnd } from "@/lib/browser/session-end";
import type { Session } from "@/lib/records/session/contract";
import { sessionQuery } from "./session-queries";

const SignInForm = lazyComponent(() => import("./sign-in-form").then((file) => file.SignInForm));

/** Dialog to sign in again without losing the page's state; what failed for want of a session is then repeated. */
export function SessionEnded() {
  const [isOpen, setOpen] = useState(false);
  const { data: before } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  /** Requests that wait for the session. */
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);
  useEffect(
    () =>
      onSessionEnd(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve);
            setOpen(true);
          }),
      ),
    [],
  );
  const resume = (now: Session) => {
    // Cached data belongs to the previous user.
    if (before && now.user.id !== before.user.id) {
      window.location.assign("/");
      return;
    }
    setOpen(false);
    announce("Signed in again");
    for (const resolve of waiting.current.splice(0)) resolve(true);
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      isDismissible={false}
      className="max-w-sm"
      title="Session expired"
      description="Sign in again to continue. Your input is kept, and what you did last is repeated."
    >
      <SignInForm email={before?.user.email ?? ""} onSignedIn={resume} />
      <Button variant="ghost" size="sm" className="-mt-2 justify-self-center text-muted" onClick={leaveToSignIn}>
        Go to sign-in page
      </Button>
    </Dialog>
  );
}
