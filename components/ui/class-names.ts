/** Joins class names. A component marks the part of its look that others may replace with `base:`, which any other class overrides. */
export { clsx as cn } from "clsx";
