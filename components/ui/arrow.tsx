import { ArrowRight } from "lucide-react";

/** Arrow within text. Drawn because the console's font lacks the character. */
export const Arrow = () => <ArrowRight role="img" aria-label="to" className="inline size-[0.9em] align-[-0.1em]" />;
