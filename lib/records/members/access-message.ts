import type { Message } from "../notifications/message";

/** Builds the email with a member's one-time link. */
export function accessMessage(type: "invitation" | "password_reset", organization: string, url: string): Message {
  return type === "invitation"
    ? {
        title: `You are invited to ${organization} on Signalbox`,
        text: `An admin of ${organization} added you to Signalbox. Choose a password to sign in. The link works once, within 7 days.`,
        link: { label: "Choose a password", url },
      }
    : {
        title: "Reset your Signalbox password",
        text: `An admin of ${organization} reset your password. Choose a new one to sign in. The link works once, within 7 days.`,
        link: { label: "Choose a new password", url },
      };
}
