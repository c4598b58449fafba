import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { useSignOut } from "./session-queries";

/** Signs out, here and at the identity provider, and shows the sign-in page, also if the menu that asks for it is gone by then. */
export function useLeave(): () => void {
  const { mutateAsync: signOut } = useSignOut();
  return () =>
    void signOut().then(
      ({ sign_out_url }) => window.location.assign(sign_out_url ?? "/sign-in"),
      (error: unknown) => toast.error("Couldn't sign out", { description: toFailure(error).message }),
    );
}
