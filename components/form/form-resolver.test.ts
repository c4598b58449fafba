import type { FieldErrors, FieldValues } from "react-hook-form";
import { expect, test } from "vitest";
import type { z } from "zod";
import { CreateAlertBody } from "@/lib/features/alerts/contract";
import { CreateExportBody } from "@/lib/features/exports/contract";
import { CreateWebhookBody } from "@/lib/records/webhooks/contract";
import { formResolver } from "./form-resolver";

async function errorsOf<Input extends FieldValues>(schema: z.ZodType<unknown, Input>, values: object) {
  const { errors } = await formResolver(schema)(values as Input, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  });
  const messages = (error: FieldErrors): unknown[] =>
    Object.values(error).flatMap((each) =>
      typeof each?.message === "string" ? [each.message] : messages((each ?? {}) as FieldErrors),
    );
  return messages(errors);
}

const ALERT = { name: "Errors", kind: "error_rate", threshold: 5 };
const WEBHOOK = { url: "https://hooks.example.com/", events: ["key.created"] };
const BUCKET = { bucket: "log", access_key_id: "a", secret_access_key: "s" };

test.each<[string, z.ZodType<unknown, FieldValues>, object, string]>([
  ["an empty name", CreateAlertBody, { ...ALERT, name: " " }, "Name is required"],
  ["an empty URL", CreateWebhookBody, { ...WEBHOOK, url: "" }, "URL is required"],
  ["a URL without a scheme", CreateWebhookBody, { ...WEBHOOK, url: "example.com" }, "must be an http or https URL"],
  ["a fraction", CreateAlertBody, { ...ALERT, window_minutes: 7.5 }, "must be a whole number"],
  [
    "a fraction in an object",
    CreateExportBody,
    { name: "Lake", kind: "s3_jsonl", s3: { ...BUCKET, interval_minutes: 1.5 } },
    "must be a whole number",
  ],
  ["a blank number", CreateAlertBody, { ...ALERT, threshold: null }, "A value is required"],
  ["no number", CreateAlertBody, { ...ALERT, threshold: Number.NaN }, "must be a number"],
  ["more than the kind allows", CreateAlertBody, { ...ALERT, threshold: 250 }, "must be at most 100"],
])("%s", async (_, schema, values, message) => {
  expect(await errorsOf(schema, values)).toEqual([message]);
});
