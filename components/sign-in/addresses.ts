import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import type { Address } from "./address-list";

const known = (label: string, url: string | null): Address[] => (url === null ? [] : [{ label, url }]);

/** Addresses of a connection, in the words of its protocol. */
export function addressesOf({ protocol, addresses }: SignInConnection): Address[] {
  const { callback_url, start_url, back_channel_logout_url, front_channel_logout_url, sign_out_url, metadata_url } =
    addresses;
  return protocol === "oidc"
    ? [
        { label: "Redirect URI", url: callback_url },
        ...known("Post-logout redirect URI", sign_out_url),
        ...known("Back-channel logout URI", back_channel_logout_url),
        ...known("Front-channel logout URI", front_channel_logout_url),
        { label: "Initiate sign-in URI", url: start_url },
      ]
    : [
        ...known("Entity ID and metadata", metadata_url),
        { label: "Assertion consumer service URL", url: callback_url },
        ...known("Single logout URL", sign_out_url),
        { label: "Start URL", url: start_url },
      ];
}
