import { call } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { createPasskeySession, createPasskeySignInOptions } from "@/lib/browser/operations/session";
import { askForPasskey } from "./passkeys";

export const usePasskeySignIn = () =>
  useApiMutation({
    mutationFn: async () => {
      const { data } = await call(createPasskeySignInOptions, {});
      return call(createPasskeySession, { body: { passkey: await askForPasskey(data) } });
    },
  });
