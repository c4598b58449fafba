"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { announce } from "@/lib/browser/announce";
import { leaveToSignIn, onSessionEnd } from "@/lib/browser/session-end";
import type { Session } from "@/lib/records/session/contract";
import { sessionQuery, signInOptionsQuery } from "./session-queries";
import { useAwaitedDialog } from "./use-awaited-dialog";

const ProviderSignIn = lazyComponent(() => import("./provider-sign-in").then((file) => file.ProviderSignIn));
const SignInForm = lazyComponent(() => import("./sign-in-form").then((file) => file.SignInForm));

/** Dialog to sign in again without losing the page's state. Then repeats the requests that failed without a session. */
export function SessionEnded() {
  const { isOpen, close } = useAwaitedDialog(onSessionEnd);
  const { data: before } = useQuery(sessionQuery);
  // Passwords may have been switched off, which ends the sessions without a provider.
  const options = useQuery({ ...signInOptionsQuery, enabled: isOpen && !before?.connection }).data?.data;
  const connections = before?.connection ? [before.connection] : (options?.connections ?? []);
  const queryClient = useQueryClient();
  const resume = (now: Session) => {
    // Cached data belongs to the previous user.
    if (before && now.user.id !== before.user.id) {
      window.location.assign("/");
      return;
    }
    announce("Signed in again");
    close(true);
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && close(false)}
      isDismissible={false}
      className="max-w-sm"
      title="Session expired"
      description="Sign in again to continue. Your input is kept, and your last action is repeated."
    >
      {!before?.connection && <SignInForm email={before?.user.email ?? ""} onSignedIn={resume} />}
      {connections.map((connection) => (
        <ProviderSignIn key={connection.id} connection={connection} onSignedIn={resume} />
      ))}
      <Button variant="ghost" size="sm" className="-mt-2 justify-self-center text-muted" onClick={leaveToSignIn}>
        Go to sign-in page
      </Button>
    </Dialog>
  );
}
