import { notFound } from "next/navigation";

/** Handles every URL without another page. */
export default function UnknownPage(): never {
  notFound();
}
