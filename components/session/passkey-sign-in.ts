import { useMutation } from "@tanstack/react-query";
import { call } from "@/lib/browser/api-client";
import { createPasskeySession, createPasskeySignInOptions } from "@/lib/browser/operations/session";
import { askForPasskey } from "./passkeys";

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => {
      const { data } = await call(createPasskeySignInOptions, {});
      return call(createPasskeySession, { body: { passkey: await askForPasskey(data) } });
    },
  });
