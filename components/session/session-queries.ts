import { queryOptions, useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/browser/api-client";
import { acceptInvitation, createSession, deleteSession, getSession, type AcceptInvitationBody, type CreateSessionBody } from "@/lib/session/contract";

/** Who is signed in; doesn't change while they are. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => call(getSession, { signal }).then(({ data }) => data),
  staleTime: Infinity,
});

/* After each of these the page is loaded anew, so that nothing of another session stays in memory. */
export const useSignIn = () => useMutation({ mutationFn: (body: CreateSessionBody) => call(createSession, { body }) });
export const useAcceptInvitation = () =>
  useMutation({ mutationFn: (body: z.input<typeof AcceptInvitationBody>) => call(acceptInvitation, { body }) });
export const useSignOut = () => useMutation({ mutationFn: () => call(deleteSession, {}) });
