import { clsx, type ClassValue } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of classes that set the same property, the last one wins. */
export const cn = (...classes: ClassValue[]) => twMerge(clsx(classes));
