/** Text of a notification. */
export interface Message {
  title: string;
  text: string;
  /** Absolute URL; null if the server's address is unknown. */
  link: { label: string; url: string } | null;
}

/** A message with its destination. */
export type Payload =
  | { channel: "slack"; url: string; message: Message }
  | { channel: "email"; to: string; message: Message };

/** Slack reads `<…>` and `&` as markup. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Longest text that Slack shows in a section. */
const MOST_SLACK_TEXT = 2_900;

/** Builds the body of a Slack incoming webhook: `text` for notifications, `blocks` for the channel. */
export function slackBody({ title, text, link }: Message): Record<string, unknown> {
  const shown = slackText(text).slice(0, MOST_SLACK_TEXT);
  const section = (content: string) => ({ type: "section", text: { type: "mrkdwn", text: content } });
  return {
    text: `${slackText(title)}: ${shown}`,
    blocks: [
      section(`*${slackText(title)}*\n${shown}`),
      ...(link ? [section(`<${encodeURI(link.url)}|${slackText(link.label)}>`)] : []),
    ],
  };
}

/** Builds an email as plain text. */
export const emailOf = ({ title, text, link }: Message): { subject: string; text: string } => ({
  subject: title.replaceAll(/\s+/g, " ").slice(0, 200),
  text: `${text}\n${link ? `\n${link.label}: ${link.url}\n` : ""}`,
});

/** Masks a secret URL: shows the host, and the last four characters of a long URL. */
export function maskedUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/…${url.length > 40 ? url.slice(-4) : ""}`;
}
