import type { Protocol } from "./vocabulary";

/** Paths of a connection that an identity provider calls. */
export const pathsOf = (id: string) => {
  const base = `/session/connections/${id}`;
  return {
    start: `${base}/start`,
    callback: `${base}/callback`,
    backChannelLogout: `${base}/back-channel-logout`,
    frontChannelLogout: `${base}/front-channel-logout`,
    assertionConsumer: `${base}/saml`,
    singleLogout: `${base}/saml-logout`,
    metadata: `${base}/metadata`,
  };
};

/** Page that a browser is sent to after a sign-out at the provider. */
export const SIGN_IN_PATH = "/sign-in";

/** Addresses that an admin enters at the provider. */
export function addressesOf(origin: string, id: string, protocol: Protocol) {
  const paths = pathsOf(id);
  const isOidc = protocol === "oidc";
  return {
    callback_url: `${origin}${isOidc ? paths.callback : paths.assertionConsumer}`,
    start_url: `${origin}${paths.start}`,
    back_channel_logout_url: isOidc ? `${origin}${paths.backChannelLogout}` : null,
    front_channel_logout_url: isOidc ? `${origin}${paths.frontChannelLogout}` : null,
    sign_out_url: `${origin}${isOidc ? SIGN_IN_PATH : paths.singleLogout}`,
    metadata_url: isOidc ? null : `${origin}${paths.metadata}`,
  };
}
