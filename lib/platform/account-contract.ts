import { z } from "zod";

export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address");
export const Password = z.string().min(8, "must have at least 8 characters").max(200);
