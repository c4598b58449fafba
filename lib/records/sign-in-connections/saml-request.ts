import { wireOf, type SamlConfig } from "./saml-config";
import { redirectAddress } from "./saml-redirect";

export interface SignInRequest {
  id: string;
  /** Returned with the response. */
  relayState: string;
  /** Whether the person must prove their identity again. */
  forcesSignIn: boolean;
}

/** Returns the address at the provider, with a signed request, to which a browser is redirected to sign in. */
export async function signInAddress(
  config: SamlConfig,
  { id, relayState, forcesSignIn }: SignInRequest,
): Promise<string> {
  const xml = await wireOf(config, { id, forceAuthn: forcesSignIn }).authnRequest();
  return redirectAddress(config.ssoUrl, { parameter: "SAMLRequest", xml, relayState }, config.spPrivateKey);
}
