import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call, type Answer } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { acceptInvitation, createSession, deleteSession, getSession } from "@/lib/browser/operations/session";
import type { AcceptInvitationBody, CreateSessionBody } from "@/lib/records/session/contract";

/** Who is signed in; doesn't change while they are. */
export const sessionQuery = {
  ...apiQuery(getSession, {}),
  select: ({ data }: Answer<typeof getSession>) => data,
  staleTime: Infinity,
};

/* After each of these the page is loaded anew, so that nothing of another session stays in memory. */
export const useSignIn = () => useMutation({ mutationFn: (body: CreateSessionBody) => call(createSession, { body }) });
export const useAcceptInvitation = () =>
  useMutation({ mutationFn: (body: z.input<typeof AcceptInvitationBody>) => call(acceptInvitation, { body }) });
export const useSignOut = () => useMutation({ mutationFn: () => call(deleteSession, {}) });
