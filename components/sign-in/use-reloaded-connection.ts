import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { invalidate } from "@/lib/browser/api-query";
import { getSignInConnection, listSignInConnections } from "@/lib/browser/operations/sign-in-connections";

/** Loads the connections again after a test has succeeded, which allows turning one on. */
export function useReloadedConnection(succeededTest: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (succeededTest !== null) void invalidate(client, listSignInConnections, getSignInConnection);
  }, [client, succeededTest]);
}
