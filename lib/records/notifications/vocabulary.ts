import { ALERT_MESSAGES } from "../../platform/outbox/vocabulary";

export const CHANNELS = ["webhook", "slack", "email"] as const;

export const NOTIFICATION_TYPES = [...ALERT_MESSAGES, "invitation", "password_reset"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
