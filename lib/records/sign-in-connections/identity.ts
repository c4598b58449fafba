/** What an identity provider says about a person, after its signature and addressee were verified. */
export interface VerifiedIdentity {
  /** Identifies the person at the provider permanently: `sub`, or the name id. */
  subject: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Null if the provider sends a link instead, because there are too many. */
  groups: readonly string[] | null;
  /** The provider's session: `sid`, or the session index. */
  providerSession: string | null;
  /** End of the provider's session, if it says so. */
  sessionEndsAt: Date | null;
  /** All claims or attributes, to show in a test sign-in. */
  claims: Readonly<Record<string, unknown>>;
}
