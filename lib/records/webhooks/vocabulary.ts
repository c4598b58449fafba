export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
