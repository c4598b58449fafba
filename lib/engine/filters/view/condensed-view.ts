import { joinsOf } from "./joins";
import { plainView } from "./plain-view";
import { composed, type View } from "./view";

/** Returns the shortest form that any reading gives a text: its normal form without inline markup and line breaks. */
export function condensedView(text: string): View {
  const plain = plainView(text);
  const { whole } = joinsOf(plain.text);
  return whole ? composed(plain, whole.view) : plain;
}
