import { describe, expect, it } from "vitest";
import { explain, limitText, subjectText } from "./limit-text";

type Explained = Parameters<typeof explain>[0];
const limit = (given: Partial<Explained>): Explained => ({
  subject_type: "organization",
  subject_ids: null,
  names: null,
  metric: "spend",
  amount: 5,
  reset_interval: "monthly",
  time_zone: "Europe/Berlin",
  starts: { hour: 0, weekday: 1, month_day: 1 },
  carry_over: false,
  ...given,
});

describe("a limit in a sentence", () => {
  it.each<[Partial<Explained>, string]>([
    [
      {},
      "The organization can spend $5.00 per month. Months start on the 1st at 00:00 (Europe/Berlin). Beyond it, requests are rejected (403).",
    ],
    [
      { subject_type: "end_user", metric: "requests", amount: 60, reset_interval: "minutely" },
      "Each end user can use at most 60 requests per minute. A limit that names an end user replaces this one for it. Beyond it, requests are rejected with the time to wait (429).",
    ],
    [
      { subject_type: "provider", subject_ids: ["acme"], metric: "tokens", amount: 1000, reset_interval: "daily" },
      "The provider acme gets at most 1,000 tokens per day. Days start at 00:00 (Europe/Berlin). Beyond it, requests go to other endpoints.",
    ],
    [
      { subject_type: "model", subject_ids: ["acme/one"] },
      "At most $5.00 per month can be spent on the model acme/one. Months start on the 1st at 00:00 (Europe/Berlin). Beyond it, requests go to other endpoints.",
    ],
    [
      { subject_type: "keys", subject_ids: ["a", "b"], names: ["CI", "Nightly"], reset_interval: null },
      "The keys CI and Nightly together can spend $5.00 in total. Beyond it, requests are rejected (403).",
    ],
    [
      {
        subject_type: "member",
        subject_ids: ["u"],
        names: ["Ada"],
        reset_interval: "weekly",
        carry_over: true,
        starts: { hour: 6, weekday: 7 },
      },
      "The member Ada can spend $5.00 per week. Weeks start on Sunday at 06:00 (Europe/Berlin). What is unspent is added to the next period, once. Beyond it, requests are rejected (403).",
    ],
  ])("%j", (given, text) => {
    expect(explain(limit(given))).toBe(text);
  });

  it("says how much, and who", () => {
    expect(limitText({ metric: "concurrent_requests", amount: 1, reset_interval: null })).toBe("1 concurrent request");
    const subject_ids = ["a", "b", "c", "d", "e"];
    expect(subjectText({ subject_type: "tag", subject_ids, names: null })).toBe("Each of the tags a, b, c and 2 more");
    expect(subjectText({ subject_type: "workspace", subject_ids: null, names: null })).toBe("Each workspace");
  });
});
