import { notFound } from "next/navigation";

/** Every URL without a page of its own. */
export default function UnknownPage(): never {
  notFound();
}
