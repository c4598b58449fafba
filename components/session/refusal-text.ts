import type { Refusal } from "@/lib/records/sign-in-connections/vocabulary";

/** What a person who wasn't signed in is told, by reason. Details are in the audit log. */
const TEXTS: Readonly<Record<Refusal, { title: string; advice: string }>> = {
  cancelled: { title: "The sign-in was cancelled", advice: "Try again, or use another account." },
  lost: { title: "The sign-in has expired", advice: "It takes at most 15 minutes, in one browser. Try again." },
  provider: { title: "The identity provider’s answer wasn’t accepted", advice: "Ask an admin to check it." },
  no_email: { title: "The identity provider sent no email address", advice: "Ask an admin to check it." },
  other_domain: { title: "This account isn’t of your organization", advice: "Use your work account." },
  unverified_email: {
    title: "Your email address isn’t verified",
    advice: "Verify it at the identity provider, then try again.",
  },
  address_in_use: { title: "Another account has your email address", advice: "Ask an admin to link it." },
  unknown_person: { title: "You don’t have an account", advice: "Ask an admin to invite you." },
  deactivated: { title: "Your account is deactivated", advice: "Ask an admin to activate it." },
  other_person: { title: "That was another account", advice: "Sign in with the account you use here." },
  disabled: { title: "This identity provider is turned off", advice: "Sign in another way." },
};

const isRefusal = (text: string): text is Refusal => Object.hasOwn(TEXTS, text);

/** Returns the text of a reason in the URL; that of an expired sign-in for an unknown one. */
export const refusalText = (refusal: string) => TEXTS[isRefusal(refusal) ? refusal : "lost"];
