import type { z } from "zod";
import { call, type Answer } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery } from "@/lib/browser/api-query";
import { acceptInvitation, createSession, deleteSession, getSession } from "@/lib/browser/operations/session";
import { chooseSignIn, getSignInOptions } from "@/lib/browser/operations/sign-in-connections-session";
import type { AcceptInvitationBody, CreateSessionBody } from "@/lib/records/session/contract";

/** The signed-in user. Constant for the duration of a session. */
export const sessionQuery = {
  ...apiQuery(getSession, {}),
  select: ({ data }: Answer<typeof getSession>) => data,
  staleTime: Infinity,
};

/** Identity providers that the sign-in page offers. */
export const signInOptionsQuery = apiQuery(getSignInOptions, {});

/** Finds the identity provider of an address. */
export const useChooseSignIn = () =>
  useApiMutation({ mutationFn: (email: string) => call(chooseSignIn, { body: { email } }) });

/* The page reloads after each of these, so that no data of another session stays in memory. */
export const useSignIn = () =>
  useApiMutation({ mutationFn: (body: CreateSessionBody) => call(createSession, { body }) });
export const useAcceptInvitation = () =>
  useApiMutation({ mutationFn: (body: z.input<typeof AcceptInvitationBody>) => call(acceptInvitation, { body }) });
export const useSignOut = () => useApiMutation({ mutationFn: () => call(deleteSession, {}) });
