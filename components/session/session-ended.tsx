"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { persistently } from "@/components/ui/deferred";
import { Dialog } from "@/components/ui/dialog";
import { announce } from "@/lib/browser/announce";
import { leaveToSignIn, onSessionEnd } from "@/lib/browser/session-end";
import type { Session } from "@/lib/records/session/contract";
import { sessionQuery } from "./session-queries";

/** Loaded when a session has ended: no page begins with it. */
const SignInForm = dynamic(() => persistently(() => import("./sign-in-form").then((module) => module.SignInForm)));

/** Signs in again over the open page, which keeps everything that was typed. */
export function SessionEnded() {
  const [isOpen, setOpen] = useState(false);
  const { data: before } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  useEffect(() => onSessionEnd(() => setOpen(true)), []);
  const resume = (now: Session) => {
    // What is in memory belongs to whom it was shown.
    if (before && now.user.id !== before.user.id) {
      window.location.assign("/");
      return;
    }
    setOpen(false);
    announce("Signed in again");
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      isDismissible={false}
      className="max-w-sm"
      title="Your session ended"
      description="Sign in again to go on. Nothing that you typed is lost; what failed can be tried once more."
    >
      <SignInForm email={before?.user.email ?? ""} onSignedIn={resume} />
      <Button variant="ghost" size="sm" className="-mt-2 justify-self-center text-muted" onClick={leaveToSignIn}>
        Leave to the sign-in page
      </Button>
    </Dialog>
  );
}
