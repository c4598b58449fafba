import { z } from "zod";
import { Timestamp, Uuid } from "../../platform/http/operation";
import { Attempt } from "../webhooks/contract";
import { DELIVERY_STATUSES } from "../webhooks/vocabulary";
import { CHANNELS, NOTIFICATION_TYPES } from "./vocabulary";

/** A message to one recipient, and the recipient's response. */
export const Notification = z
  .object({
    id: Uuid,
    channel: z.enum(CHANNELS),
    type: z.enum(NOTIFICATION_TYPES),
    recipient: z.string().meta({ description: "Email address, host of the webhook, or masked Slack URL" }),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(Attempt).meta({ description: "The last 20 attempts, oldest first" }),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "Notification" });
export type Notification = z.output<typeof Notification>;
