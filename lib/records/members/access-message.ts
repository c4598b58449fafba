import type { Message } from "../notifications/message";

const invitedTo = (organization: string) => `You are invited to ${organization} on Signalbox`;

/** Builds the email to a new member who signs in with an identity provider. */
export const providerMessage = (organization: string, url: string): Message => ({
  title: invitedTo(organization),
  text: `An admin of ${organization} added you to Signalbox. Sign in with your identity provider.`,
  link: { label: "Sign in", url },
});

/** Builds the email with a member's one-time link. */
export function accessMessage(type: "invitation" | "password_reset", organization: string, url: string): Message {
  return type === "invitation"
    ? {
        title: invitedTo(organization),
        text: `An admin of ${organization} added you to Signalbox. Choose a password to sign in. The link works once, within 7 days.`,
        link: { label: "Choose a password", url },
      }
    : {
        title: "Reset your Signalbox password",
        text: `An admin of ${organization} reset your password. Choose a new one to sign in. The link works once, within 7 days.`,
        link: { label: "Choose a new password", url },
      };
}
