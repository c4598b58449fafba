export const CHANNELS = ["webhook", "slack", "email"] as const;

/** Messages of alerts; those for webhooks are sent as events of the same name. */
export const ALERT_MESSAGES = ["alert.fired", "alert.resolved", "alert.test"] as const;
export type AlertMessage = (typeof ALERT_MESSAGES)[number];
export const NOTIFICATION_TYPES = [...ALERT_MESSAGES, "invitation", "password_reset"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
